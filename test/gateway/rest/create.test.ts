import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, nouns, read, remove, withKey } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

const metadata = { color: 'red', sizes: [1, 2.5, -0.001, null, true, { deep: [[]] }], '': 'an empty key', ключ: '値' };
const locationOnly = { parent_id: null, parent_external_key: null };

describe.each(bothNouns)('creating a $noun', (noun) => {
  const isAsset = noun === nouns.assets;

  it('sets defaults for omitted fields', async () => {
    const organization = await world.organization();
    const before = Date.now();
    const answer = await organization.post(noun.path, { name: 'A thing' });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['data']);
    const { data } = answer.body;
    expect(Object.keys(data).sort()).toEqual([...noun.keys].sort());
    expect(data).toMatchObject({
      external_key: `${noun.generatedPrefix}0001`,
      name: 'A thing',
      description: null,
      is_active: true,
      valid_to: null,
      deleted_at: null,
      tags: [],
      ...(isAsset ? { metadata: {} } : locationOnly),
    });
    expect(Number.isSafeInteger(data.id) && data.id > 0).toBe(true);
    for (const field of ['valid_from', 'created_at', 'updated_at']) {
      expect(Math.abs(Date.parse(data[field]) - before), field).toBeLessThan(60_000);
    }
  });

  it('stores every field as it was sent', async () => {
    const organization = await world.organization();
    const fields = {
      external_key: 'Own-Key-1',
      name: 'Ünïcode 😀',
      description: 'two\nlines',
      is_active: false,
      valid_from: '2020-01-01T00:00:00.000Z',
      valid_to: '2999-12-31T23:59:59.999Z',
      ...(isAsset ? { metadata } : {}),
    };
    const tags = [
      { tag_type: 'rfid', value: 'E280-1' },
      { tag_type: 'ble', value: 'AA:BB' },
      { tag_type: 'barcode', value: 'E280-1' },
    ];
    const answer = await organization.post(noun.path, { ...fields, tags });
    expect(answer.status, answer.text).toBe(201);
    const { data } = answer.body;
    expect(data).toMatchObject({ ...fields, tags });
    for (const tag of data.tags) expect(Object.keys(tag).sort()).toEqual(['id', 'tag_type', 'value']);
    expect(await read(organization, noun, data.id)).toEqual(data);
    expect((await organization.get(noun.path)).body.data).toEqual([data]);
    expect(answer.headers['location']).toBe(`${noun.path}/${data.id}`);
  });

  it('rejects a key only if a live row of the same kind and organization has it', async () => {
    const organization = await world.organization();
    const outsider = await world.organization('Outsiders');
    const first = await create(organization, noun, { external_key: 'AB-1' });
    const again = await organization.post(noun.path, { name: 'n', external_key: 'AB-1' });
    expect(again).toBeError({ type: 'conflict', detail: `${noun.noun} with external_key AB-1 already exists` });
    for (const [client, kind, key] of [
      [organization, noun, 'ab-1'],
      [outsider, noun, 'AB-1'],
      [organization, isAsset ? nouns.locations : nouns.assets, 'AB-1'],
    ] as const) {
      expect((await create(client, kind, { external_key: key })).external_key).toBe(key);
    }
    await remove(organization, noun, first.id);
    const second = await create(organization, noun, { external_key: 'AB-1' });
    expect(second.id).not.toBe(first.id);
  });

  it('stores nothing when one of its tags is taken', async () => {
    const organization = await world.organization();
    await create(organization, nouns.assets, { tags: [{ tag_type: 'rfid', value: 'T' }] });
    const counts = async () => [
      (await organization.get(noun.path)).body.total_count,
      await world.db.tag.count({ where: { orgId: organization.orgId } }),
    ];
    const before = await counts();
    const tags = [
      { tag_type: 'ble', value: 'T' },
      { tag_type: 'rfid', value: 'T' },
    ];
    const answer = await organization.post(noun.path, { name: 'n', tags });
    expect(answer).toBeError({ type: 'conflict', detail: 'tag rfid:T already exists' });
    const twice = [
      { tag_type: 'ble', value: 'new' },
      { tag_type: 'ble', value: 'new' },
    ];
    expect(await organization.post(noun.path, { name: 'n', tags: twice })).toBeError({
      type: 'conflict',
      detail: 'tag ble:new already exists',
    });
    expect(await counts()).toEqual(before);
  });

  it('accepts at most 100 tags', async () => {
    const organization = await world.organization();
    const tags = Array.from({ length: 101 }, (_none, index) => ({ tag_type: 'rfid', value: `T${index}` }));
    const refused = await organization.post(noun.path, { name: 'n', tags });
    expect(refused).toBeInvalid({ field: 'tags', code: 'too_long', params: { max_length: 100 } });
    const row = await create(organization, noun, { tags: tags.slice(1) });
    expect(row.tags.map(({ value }) => value).sort()).toEqual(
      tags
        .slice(1)
        .map(({ value }) => value)
        .sort(),
    );
  });

  it('reports each error of a tag with its field and index', async () => {
    const organization = await world.organization();
    const good = { tag_type: 'rfid', value: 'v' };
    const answer = await organization.post(noun.path, {
      name: 'n',
      tags: [
        good,
        {},
        { tag_type: 'nfc', value: '' },
        { tag_type: 7, value: 'x'.repeat(256) },
        { ...good, value: 'a\u0001' },
      ],
    });
    const allowed = { allowed_values: ['rfid', 'ble', 'barcode'] };
    expect(answer).toBeInvalid(
      { field: 'tag_type', code: 'required', message: 'tag_type is required', params: { path: 'tags[1].tag_type' } },
      { field: 'value', code: 'required', message: 'value is required', params: { path: 'tags[1].value' } },
      {
        field: 'tag_type',
        code: 'invalid_value',
        message: 'tag_type must be one of: rfid, ble, barcode',
        params: { path: 'tags[2].tag_type', ...allowed },
      },
      { field: 'value', code: 'too_short', params: { path: 'tags[2].value', min_length: 1 } },
      {
        field: 'tag_type',
        code: 'invalid_value',
        message: 'tag_type must be string; received number',
        params: { path: 'tags[3].tag_type', expected_type: 'string', received_type: 'number' },
      },
      { field: 'value', code: 'too_long', params: { path: 'tags[3].value', max_length: 255 } },
      { field: 'value', code: 'invalid_value', params: { path: 'tags[4].value' } },
    );
    const unknown = await organization.post(noun.path, { name: 'n', tags: [good, { ...good, id: 1, color: 'red' }] });
    expect(unknown).toBeInvalid(
      {
        field: 'id',
        code: 'unknown_field',
        message: 'unknown field "id" in request body',
        params: { path: 'tags[1].id' },
      },
      {
        field: 'color',
        code: 'unknown_field',
        message: 'unknown field "color" in request body',
        params: { path: 'tags[1].color' },
      },
    );
    const reserved = await organization.post(noun.path, { name: 'n', tags: [withKey(good, '__proto__', {})] });
    expect(reserved).toBeInvalid({ field: '__proto__', code: 'unknown_field', params: { path: 'tags[0].__proto__' } });
    const nulls = await organization.post(noun.path, { name: 'n', tags: [{ tag_type: 'rfid', value: null }] });
    expect(nulls).toBeInvalid({ field: 'value', code: 'invalid_value', params: { path: 'tags[0].value' } });
    const noType = await organization.post(noun.path, { name: 'n', tags: [{ tag_type: null, value: 'v' }] });
    expect(noType).toBeInvalid({ field: 'tag_type', code: 'required', message: 'tag_type is required' });
    for (const item of [1, 'x', null, [], true]) {
      const listed = await organization.post(noun.path, { name: 'n', tags: [good, item] });
      expect(listed).toBeInvalid({
        field: 'tags',
        code: 'invalid_value',
        params: { expected_type: 'object', path: 'tags[1]' },
      });
    }
    expect((await organization.get(noun.path)).body.total_count).toBe(0);
  });
});

describe('creating an asset', () => {
  it.each([
    ['location_id', 1],
    ['location_id', null],
    ['location_external_key', 'K'],
    ['location_external_key', null],
  ])('with %s: %s is rejected, because the location comes from scans', async (field, value) => {
    const organization = await world.organization();
    const answer = await organization.post(nouns.assets.path, { name: 'n', [field]: value });
    const message = /location is collected through scan ingestion and is not directly settable/;
    expect(answer).toBeInvalid({ field, code: 'read_only', message });
  });

  it('stores every key of the metadata, including reserved names', async () => {
    const organization = await world.organization();
    const odd = withKey(
      { constructor: { prototype: 1 }, toString: 'x', hasOwnProperty: null, valueOf: [] },
      '__proto__',
      { a: [1] },
    );
    const nested = withKey({ odd }, '__proto__', odd);
    const answer = await organization.post(nouns.assets.path, { name: 'n', metadata: nested });
    expect(answer.status, answer.text).toBe(201);
    const { id } = answer.body.data;
    for (const { text } of [
      answer,
      await organization.get(`${nouns.assets.path}/${id}`),
      await organization.get(nouns.assets.path),
      await organization.patch(`${nouns.assets.path}/${id}`, { metadata: nested }),
    ]) {
      expect(canonical(JSON.parse(text.slice(text.indexOf('"metadata":') + 11, text.indexOf(',"valid_from"'))))).toBe(
        canonical(nested),
      );
    }
    expect(({} as { a?: unknown }).a).toBeUndefined();
  });
});

/** JSON with sorted keys, own ones alone. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${canonical(item)}`).join()}}`;
}
