import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, nouns, read } from '../../support/factories.js';
import { createWorld, type World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const namePattern = String.raw`^\S(?:[^\x00-\x1F\x7F]*\S)?$`;
const textPattern = String.raw`^[^\x00-\x08\x0B\x0C\x0E-\x1F\x7F]*$`;
const keyPattern = '^[A-Za-z0-9-]+$';

type Rule = { code: string; message?: string | RegExp; params?: Record<string, unknown> };

const pattern = (source: string): Rule => ({ code: 'invalid_value', params: { pattern: source } });
const mustMatch = (field: string, source: string): Rule => ({
  ...pattern(source),
  message: new RegExp(`^${escaped(`${field} must match ${source}`)}.+`),
});
const tooShort = (field: string, min: number): Rule => ({
  code: 'too_short',
  message: `${field} must be at least ${min} character(s)`,
  params: { min_length: min },
});
const tooLong = (field: string, max: number): Rule => ({
  code: 'too_long',
  message: `${field} must be at most ${max} characters`,
  params: { max_length: max },
});
const mismatch = (field: string, expected: string, received: string): Rule => ({
  code: 'invalid_value',
  message: `${field} must be ${expected}; received ${received}`,
  params: { expected_type: expected, received_type: received },
});
const unstorable = (field: string): Rule => ({
  code: 'invalid_value',
  message: `${field} contains a character that cannot be stored`,
});

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

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

const nul = '\u0000';
const loneSurrogates = ['\ud800', '\udc00', 'a\udfffb', '\ude00\ud83d'];

/** What is refused of a text, on create and on patch alike. */
const refusedTexts: [field: string, values: string[], rule: Rule][] = [
  ['name', [''], tooShort('name', 1)],
  ['name', ['x'.repeat(256), '😀'.repeat(256), 'x'.repeat(100_000)], tooLong('name', 255)],
  [
    'name',
    [
      ' ',
      ' a',
      'a ',
      '\ta',
      'a\n',
      'a\tb',
      'a\rb',
      'a\u001fb',
      'a\u007fb',
      '\u007f',
      '\u00a0a',
      'a\u3000',
      '\ufeffa',
      'a\u2028',
      'a\u2009',
      '\u1680',
    ],
    mustMatch('name', namePattern),
  ],
  ['name', [`a${nul}b`, nul, ...loneSurrogates], unstorable('name')],
  ['description', [''], tooShort('description', 1)],
  ['description', ['x'.repeat(1025), '😀'.repeat(1025)], tooLong('description', 1024)],
  [
    'description',
    ['a\u0001', '\u0008', '\u000b', '\u000c', '\u000e', '\u001f', 'a\u007f'],
    mustMatch('description', textPattern),
  ],
  ['description', [nul, `a${nul}`, ...loneSurrogates], unstorable('description')],
];

const acceptedTexts: [field: string, values: (string | null)[]][] = [
  [
    'name',
    [
      'x',
      'a b',
      'a  b',
      'x'.repeat(255),
      '😀'.repeat(255),
      'É',
      '名前',
      'a\u0085b',
      '\u0085',
      "Robert'); DROP TABLE assets;--",
      '\\',
      '"',
      'a\u00a0b',
      '\u200b',
    ],
  ],
  ['description', ['x', ' ', ' a ', 'a\tb\nc\r\nd', '\n', 'x'.repeat(1024), '😀'.repeat(1024), 'null', null]],
];

/** What is refused of a key, wherever one is written. */
const refusedKeys: [values: string[], rule: Rule][] = [
  [['', ' ', '   ', '\t', '\n', '\u00a0', '\u3000', '\ufeff'], tooShort('external_key', 1)],
  [['x'.repeat(256), 'x'.repeat(10_000)], tooLong('external_key', 255)],
  [
    ['a.b', 'a_b', 'a b', 'a/b', 'a:b', 'é', 'a\n', '\na', ' a', 'a ', 'ａ', '1+1', '😀', 'a,b', '%', '*', 'a\u007f'],
    mustMatch('external_key', keyPattern),
  ],
  [[nul, `a${nul}`, ...loneSurrogates], unstorable('external_key')],
];

const acceptedKeys = ['a', '-', '--', '0', 'AB-1', 'ab-1', '-a-', '9'.repeat(255), 'null', 'constructor'];

describe.each(bothNouns)('the fields of a $noun', (noun) => {
  it('refuse texts on create', async () => {
    const organization = await world.organization();
    for (const [field, values, rule] of refusedTexts) {
      for (const value of values) {
        const answer = await organization.post(noun.path, { name: 'n', [field]: value });
        expect(answer, JSON.stringify(value.slice(0, 20))).toBeInvalid({ field, ...rule });
      }
    }
    expect((await organization.get(noun.path)).body.total_count).toBe(0);
  });

  it('refuse texts on patch', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    for (const [field, values, rule] of refusedTexts) {
      for (const value of values) {
        expect(await organization.patch(`${noun.path}/${row.id}`, { [field]: value })).toBeInvalid({ field, ...rule });
      }
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('keep accepted texts as they were sent', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    for (const [field, values] of acceptedTexts) {
      for (const value of values) {
        const made = await organization.post(noun.path, { name: 'n', [field]: value });
        expect(made.body.data?.[field], made.text).toBe(value);
        const changed = await organization.patch(`${noun.path}/${id}`, { [field]: value });
        expect(changed.body.data?.[field], changed.text).toBe(value);
        expect(await read(organization, noun, id)).toMatchObject({ [field]: value });
      }
    }
  });

  it('check keys by their rule on create, on rename and when sent back', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    for (const [values, rule] of refusedKeys) {
      for (const key of values) {
        const body = { external_key: key };
        const told = JSON.stringify(key.slice(0, 20));
        expect(await organization.post(noun.path, { name: 'n', ...body }), told).toBeInvalid({
          field: 'external_key',
          ...rule,
        });
        expect(await organization.post(`${noun.path}/${row.id}/rename`, body), told).toBeInvalid({
          field: 'external_key',
          ...rule,
        });
        expect(await organization.patch(`${noun.path}/${row.id}`, body), told).toBeInvalid({
          field: 'external_key',
          ...rule,
        });
      }
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
    for (const key of acceptedKeys) {
      const made = await organization.post(noun.path, { name: 'n', external_key: key });
      expect(made.body.data?.external_key, made.text).toBe(key);
    }
  });

  it('refuse nulls on create, unless null is a value', async () => {
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

  it('refuse nulls on patch, unless null clears', async () => {
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
    const echoes: [string, string][] = [
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
    for (const [field, expected] of [...shared, ...own, ...echoes]) {
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
  it('is an object and never null', async () => {
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

  it('holds no NUL and no lone surrogate, in no key and no value', async () => {
    const organization = await world.organization();
    const row = await create(organization, nouns.assets, { metadata: { kept: true } });
    for (const flaw of [nul, ...loneSurrogates]) {
      for (const metadata of [{ a: flaw }, { [flaw]: 1 }, { a: [{ b: ['x', flaw] }] }, { a: { [`x${flaw}`]: null } }]) {
        const expected = { field: 'metadata', ...unstorable('metadata') };
        expect(await organization.post(nouns.assets.path, { name: 'n', metadata })).toBeInvalid(expected);
        expect(await organization.patch(`${nouns.assets.path}/${row.id}`, { metadata })).toBeInvalid(expected);
      }
    }
    expect(await read(organization, nouns.assets, row.id)).toEqual(row);
  });
});
