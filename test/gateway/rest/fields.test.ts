import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, nouns, read } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';
import { mismatch } from './field-rules.js';

const world = await sharedWorld();

/** Every JSON type but the one expected, as a raw text and by name. */
function otherTypes(expected: string): [raw: string, received: string][] {
  const all: [string, string][] = [
    ['"text"', 'string'],
    ['1', 'number'],
    ['0', 'number'],
    ['-1.5e3', 'number'],
    ['12345678901234567890', 'number'],
    ['true', 'boolean'],
    ['false', 'boolean'],
    ['[]', 'array'],
    ['["text"]', 'array'],
    ['{}', 'object'],
    ['{"a":1}', 'object'],
  ];
  return all.filter(([, received]) => received !== expected);
}

describe.each(bothNouns)('the fields of a $noun', (noun) => {
  it('reject null on create, except where null is a valid value', async () => {
    const organization = await world.organization();
    const provide = (field: string) => ({
      field,
      code: 'invalid_value',
      message: `${field} cannot be null; provide a string value`,
    });
    const omit = (field: string) => ({
      field,
      code: 'invalid_value',
      message: `${field} cannot be null; omit the field to use the server default, or provide a value`,
    });
    const refused = [provide('name'), provide('external_key'), omit('is_active'), omit('valid_from')];
    for (const expected of refused) {
      const body = { name: 'n', [expected.field]: null };
      expect(await organization.post(noun.path, body)).toBeInvalid(expected);
    }
    const nullable = noun === nouns.locations ? ['parent_id', 'parent_external_key'] : [];
    for (const field of ['description', 'valid_to', ...nullable]) {
      expect((await organization.post(noun.path, { name: 'n', [field]: null })).body.data[field]).toBeNull();
    }
    expect((await organization.post(noun.path, { name: 'n', tags: null })).body.data.tags).toEqual([]);
  });

  it('reject null on patch, except where null clears the field', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { description: 'd', valid_to: '2999-01-01T00:00:00Z' });
    for (const field of ['name', 'is_active', 'valid_from', 'id', 'external_key', 'created_at', 'updated_at', 'tags']) {
      const message = `${field} cannot be null; omit the field to leave unchanged, or provide a value`;
      expect(await organization.patch(`${noun.path}/${row.id}`, { [field]: null })).toBeInvalid({
        field,
        code: 'invalid_value',
        message,
      });
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
    const cleared = await organization.patch(`${noun.path}/${row.id}`, {
      description: null,
      valid_to: null,
      deleted_at: null,
    });
    expect(cleared.body.data).toMatchObject({ description: null, valid_to: null });
  });

  it('report the expected and the actual JSON type', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const shared: [string, string][] = [
      ['name', 'string'],
      ['external_key', 'string'],
      ['description', 'string'],
      ['is_active', 'boolean'],
      ['valid_from', 'string'],
      ['valid_to', 'string'],
      ['tags', 'array'],
    ];
    const own: [string, string][] =
      noun === nouns.assets
        ? [['metadata', 'object']]
        : [
            ['parent_id', 'number'],
            ['parent_external_key', 'string'],
          ];
    const readOnly: [string, string][] = [
      ['id', 'number'],
      ['created_at', 'string'],
      ['updated_at', 'string'],
      ['deleted_at', 'string'],
    ];
    for (const [field, expected] of [...shared, ...own]) {
      for (const [raw, received] of otherTypes(expected)) {
        const body = field === 'name' ? `{"name":${raw}}` : `{"name":"n","${field}":${raw}}`;
        const answer = await organization.call('POST', noun.path, { raw: body });
        expect(answer, body).toBeInvalid({ field, ...mismatch(field, expected, received) });
      }
    }
    for (const [field, expected] of [...shared, ...own, ...readOnly]) {
      for (const [raw, received] of otherTypes(expected)) {
        const answer = await organization.call('PATCH', `${noun.path}/${row.id}`, { raw: `{"${field}":${raw}}` });
        expect(answer).toBeInvalid({ field, ...mismatch(field, expected, received) });
      }
    }
    for (const [raw, received] of otherTypes('string')) {
      const answer = await organization.call('POST', `${noun.path}/${row.id}/rename`, {
        raw: `{"external_key":${raw}}`,
      });
      expect(answer).toBeInvalid({ field: 'external_key', ...mismatch('external_key', 'string', received) });
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('require a name on create and a key on rename', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const required = (field: string) => ({ field, code: 'required', message: `${field} is required` });
    expect(await organization.post(noun.path, {})).toBeInvalid(required('name'));
    expect(await organization.post(`${noun.path}/${id}/rename`, {})).toBeInvalid(required('external_key'));
    expect(await organization.post(`${noun.path}/${id}/rename`, { external_key: null })).toBeInvalid({
      field: 'external_key',
      code: 'invalid_value',
      message: 'external_key cannot be null; provide a string value',
    });
  });
});

describe('metadata', () => {
  it('must be an object, and not null', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, nouns.assets);
    const field = 'metadata';
    const onCreate = 'metadata cannot be null; omit the field to use the server default, or provide a value';
    expect(await organization.post(nouns.assets.path, { name: 'n', metadata: null })).toBeInvalid({
      field,
      code: 'invalid_value',
      message: onCreate,
    });
    const onPatch = 'metadata cannot be null; omit the field to leave unchanged, or provide a value';
    expect(await organization.patch(`${nouns.assets.path}/${id}`, { metadata: null })).toBeInvalid({
      field,
      code: 'invalid_value',
      message: onPatch,
    });
  });

  it('is at most 16 KiB of compact JSON in UTF-8', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, nouns.assets);
    const path = `${nouns.assets.path}/${id}`;
    // 8 bytes around the text, 2 for each letter.
    const metadata = { a: 'é'.repeat(8188) };
    const raw = JSON.stringify({ metadata }, null, 4);
    const answer = await organization.call('PATCH', path, { raw });
    expect(answer.body.data.metadata).toEqual(metadata);
    const tooLong = {
      field: 'metadata',
      code: 'too_long',
      message: 'metadata must be at most 16384 bytes of JSON',
      params: { max_length: 16384 },
    };
    const longer = { metadata: { a: `${metadata.a}x` } };
    expect(await organization.patch(path, longer)).toBeInvalid(tooLong);
    expect(await organization.post(nouns.assets.path, { name: 'n', ...longer })).toBeInvalid(tooLong);
    expect((await read(organization, nouns.assets, id)).metadata).toEqual(metadata);
  });
});
