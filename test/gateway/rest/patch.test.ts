import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import {
  bothNouns,
  create,
  createAsset,
  createLocation,
  type Noun,
  nouns,
  read,
  remove,
  type Row,
  withKey,
} from '../../support/factories.js';
import type { Answer } from '../../support/answer.js';
import type { RestClient } from '../../support/rest-client.js';
import { createWorld, type World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const twoTags = [
  { tag_type: 'rfid', value: 'one' },
  { tag_type: 'ble', value: 'two' },
];

/** Other ways to write the instant of a timestamp that the service wrote. */
function otherForms(timestamp: string): string[] {
  const ms = Date.parse(timestamp);
  const local = (hours: number) => new Date(ms + hours * 3_600_000).toISOString().slice(0, -1);
  return [
    timestamp,
    timestamp.toLowerCase(),
    timestamp.replace('Z', '+00:00'),
    timestamp.replace('Z', '-00:00'),
    timestamp.replace('Z', '000000Z'),
    timestamp.replace('Z', '999Z'),
    `${local(2)}+02:00`,
    `${local(-5)}999999-05:00`,
    ...(timestamp.endsWith('.000Z') ? [timestamp.replace('.000Z', 'Z')] : []),
  ];
}

describe.each(bothNouns)('patching a $noun', (noun) => {
  const send = (client: RestClient, id: number, body: Record<string, unknown>): Promise<Answer> =>
    client.patch(`${noun.path}/${id}`, body);

  async function accepted(client: RestClient, id: number, body: Record<string, unknown>): Promise<Row> {
    const answer = await send(client, id, body);
    expect(answer.status, answer.text).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['data']);
    return answer.body.data;
  }

  it('changes what it names and leaves the rest', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { description: 'd', tags: twoTags });
    let expected = row;
    for (const change of [
      { name: 'other' },
      { description: 'more' },
      { description: null },
      { is_active: false },
      { valid_from: '2020-01-01T00:00:00.000Z' },
      { valid_to: '2999-01-01T00:00:00.000Z' },
      { valid_to: null },
      {
        name: 'last',
        description: 'x',
        is_active: true,
        valid_from: '2021-01-01T00:00:00.000Z',
        valid_to: '2998-01-01T00:00:00.000Z',
      },
      ...(noun === nouns.assets ? [{ metadata: { a: 1 } }] : []),
    ]) {
      const now = await accepted(organization, row.id, change);
      expect(now).toEqual({ ...expected, ...change, updated_at: now.updated_at });
      expect(now.updated_at > expected.updated_at).toBe(true);
      expect(await read(organization, noun, row.id)).toEqual(now);
      expected = now;
    }
  });

  it('that says nothing changes nothing but updated_at', async () => {
    const organization = await world.organization();
    let before = await create(organization, noun);
    for (let round = 0; round < 10; round += 1) {
      const now = await accepted(organization, before.id, {});
      expect(now.updated_at > before.updated_at).toBe(true);
      expect(now).toEqual({ ...before, updated_at: now.updated_at });
      before = now;
    }
    expect(Math.abs(Date.parse(before.updated_at) - Date.now())).toBeLessThan(60_000);
  });

  it('moves updated_at on even where the clock is behind it', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const table = noun === nouns.assets ? 'assets' : 'locations';
    await world.db.$executeRawUnsafe(`UPDATE ${table} SET updated_at = '2099-01-01' WHERE id = $1`, id);
    expect((await accepted(organization, id, {})).updated_at).toBe('2099-01-01T00:00:00.001Z');
    const named = await accepted(organization, id, { name: 'x', updated_at: '2099-01-01T00:00:00.001Z' });
    expect(named.updated_at).toBe('2099-01-01T00:00:00.002Z');
  });

  it('takes back what was read, word for word', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization);
    const more =
      noun === nouns.assets ? { metadata: withKey({ a: [1, { b: null }] }, '__proto__', 1) } : { parent_id: parent.id };
    const fields = { description: 'd', valid_to: '2999-01-01T00:00:00Z', tags: twoTags, ...more };
    let row = await create(organization, noun, fields);
    for (let round = 0; round < 3; round += 1) {
      const text = (await organization.get(`${noun.path}/${row.id}`)).text;
      const raw = text.slice('{"data":'.length, -1);
      const answer = await organization.call('PATCH', `${noun.path}/${row.id}`, { raw });
      expect(answer.status, answer.text).toBe(200);
      const now = answer.body.data;
      expect(now.updated_at > row.updated_at).toBe(true);
      expect(now).toEqual({ ...row, updated_at: now.updated_at });
      row = now;
    }
  });

  it('compares timestamps by instant', async () => {
    const organization = await world.organization();
    let row = await create(organization, noun);
    const kinds = otherForms(row.created_at).length;
    for (let kind = 0; kind < kinds; kind += 1) {
      const body = {
        created_at: otherForms(row.created_at)[kind] ?? row.created_at,
        updated_at: otherForms(row.updated_at)[kind] ?? row.updated_at,
        deleted_at: null,
      };
      row = await accepted(organization, row.id, body);
      expect(await read(organization, noun, row.id)).toEqual(row);
    }
  });

  it('refuses each read-only field that differs, in order, and changes nothing', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun, { tags: twoTags });
    const path = `${noun.path}/${row.id}`;
    const later = (timestamp: string, ms: number) => new Date(Date.parse(timestamp) + ms).toISOString();
    const differing = {
      tags: [],
      deleted_at: later(row.created_at, 0),
      updated_at: later(row.updated_at, -1),
      created_at: later(row.created_at, 1),
      external_key: `${row.external_key}x`,
      id: row.id + 1,
    };
    const readOnly = (field: string, message = new RegExp(field)) => ({ field, code: 'read_only', message });
    const entries = [
      readOnly('id'),
      {
        field: 'external_key',
        code: 'invalid_context',
        message: new RegExp(`POST ${path}/rename .*\\{external_key\\}`),
      },
      readOnly('created_at'),
      readOnly('updated_at'),
      readOnly('deleted_at', /DELETE/),
      { field: 'tags', code: 'invalid_context', message: new RegExp(`${path}/tags`) },
    ];
    expect(await send(organization, row.id, { ...differing, name: 'new' })).toBeInvalid(...entries);
    for (const [index, field] of ['id', 'external_key', 'created_at', 'updated_at', 'deleted_at', 'tags'].entries()) {
      const body = { [field]: differing[field as keyof typeof differing], name: 'new' };
      expect(await send(organization, row.id, body), field).toBeInvalid(entries[index] as (typeof entries)[number]);
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
  });

  it('with a stale updated_at is refused, and a fresh or none is accepted', async () => {
    const organization = await world.organization();
    const first = await create(organization, noun);
    const second = await accepted(organization, first.id, { name: 'b' });
    const stale = await send(organization, first.id, { name: 'c', updated_at: first.updated_at });
    expect(stale).toBeInvalid({ field: 'updated_at', code: 'read_only' });
    expect(await read(organization, noun, first.id)).toEqual(second);
    await accepted(organization, first.id, { name: 'c', updated_at: second.updated_at });
    await accepted(organization, first.id, { name: 'd' });
  });

  it('compares the key with regard to case', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun, { external_key: 'Abc' });
    await accepted(organization, id, { external_key: 'Abc' });
    expect(await send(organization, id, { external_key: 'abc' })).toBeInvalid({
      field: 'external_key',
      code: 'invalid_context',
    });
  });

  it('compares tags as a set, by id and content', async () => {
    const organization = await world.organization();
    const { id, tags } = await create(organization, noun, { tags: twoTags });
    const other = await create(organization, noun, { tags: [{ tag_type: 'rfid', value: 'three' }] });
    const [one, two] = tags as [Row['tags'][0], Row['tags'][0]];
    const reordered = { value: two.value, tag_type: two.tag_type, id: two.id };
    for (const same of [
      [one, two],
      [two, one],
      [reordered, one],
      [one, two, one],
      [two, two, reordered, one, one],
    ]) {
      await accepted(organization, id, { tags: same });
    }
    const differing: unknown[][] = [
      [],
      [one],
      [one, one],
      [one, two, ...other.tags],
      [one, { ...two, id: two.id + 1000 }],
      [one, { ...two, value: 'TWO' }],
      [one, { ...two, tag_type: 'rfid' }],
      [one, { tag_type: two.tag_type, value: two.value }],
      [one, { ...two, id: String(two.id) }],
      [one, two, null],
      [one, two, 1],
      [one, two, []],
      [[one, two]],
      [one, two, {}],
    ];
    for (const list of differing) {
      expect(await send(organization, id, { tags: list }), JSON.stringify(list)).toBeInvalid({
        field: 'tags',
        code: 'invalid_context',
      });
    }
    const bare = await create(organization, noun);
    await accepted(organization, bare.id, { tags: [] });
    expect(await send(organization, bare.id, { tags: [one] })).toBeInvalid({ field: 'tags', code: 'invalid_context' });
  });

  it('checks types and formats of read-only fields before it compares', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const max = { code: 'too_large', params: { max: 2147483647 } };
    for (const [body, expected] of [
      [{ id: 2147483648 }, { field: 'id', ...max }],
      [{ id: 0 }, { field: 'id', code: 'too_small' }],
      [{ id: 1.5 }, { field: 'id', code: 'invalid_value' }],
      [{ id: '1' }, { field: 'id', code: 'invalid_value' }],
      [{ external_key: '' }, { field: 'external_key', code: 'too_short' }],
      [{ external_key: 'a b' }, { field: 'external_key', code: 'invalid_value' }],
      [{ created_at: '2024-01-01' }, { field: 'created_at', code: 'invalid_value' }],
      [{ updated_at: '1970-01-01T00:00:00Z' }, { field: 'updated_at', code: 'invalid_value' }],
      [{ deleted_at: '' }, { field: 'deleted_at', code: 'invalid_value' }],
      [{ tags: {} }, { field: 'tags', code: 'invalid_value' }],
    ] as const) {
      expect(await send(organization, id, body)).toBeInvalid(expected);
    }
  });

  it('of a deleted row finds nothing', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    await remove(organization, noun, row.id);
    expect(await send(organization, row.id, { name: 'x' })).toBeError({ type: 'not_found', detail: noun.notFound });
    expect(await send(organization, row.id, { ...row })).toBeError({ type: 'not_found', detail: noun.notFound });
  });

  it('reaches rows that are inactive, expired or not yet effective', async () => {
    const organization = await world.organization();
    for (const fields of [
      { is_active: false },
      { valid_to: '2020-01-01T00:00:00Z' },
      { valid_from: '2999-01-01T00:00:00Z' },
    ]) {
      const { id } = await create(organization, noun, fields);
      expect((await accepted(organization, id, { name: 'found' })).name).toBe('found');
    }
  });

  it('names each of its flaws in the order in which fields are declared', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const flaws: Record<string, unknown> = {
      tags: 1,
      deleted_at: 1,
      updated_at: 1,
      created_at: 1,
      external_key: 1,
      id: 'x',
      valid_to: 1,
      valid_from: 1,
      is_active: 1,
      description: 1,
      name: 1,
    };
    const own = noun === nouns.assets ? { metadata: 1 } : { parent_external_key: 1, parent_id: 'x' };
    const ownOrder = noun === nouns.assets ? ['metadata'] : ['parent_id', 'parent_external_key'];
    const order = [
      'name',
      'description',
      'is_active',
      ...ownOrder,
      'valid_from',
      'valid_to',
      'id',
      'external_key',
      'created_at',
      'updated_at',
      'deleted_at',
      'tags',
    ];
    const invalid = (field: string) => ({ field, code: 'invalid_value' });
    expect(await send(organization, row.id, { ...flaws, ...own })).toBeInvalid(...order.map(invalid));
    const nulls = Object.fromEntries(
      ['tags', 'updated_at', 'id', 'valid_from', 'is_active', 'name', 'external_key', 'created_at'].map((field) => [
        field,
        null,
      ]),
    );
    expect(await send(organization, row.id, nulls)).toBeInvalid(
      ...['name', 'is_active', 'valid_from', 'id', 'external_key', 'created_at', 'updated_at', 'tags'].map(invalid),
    );
    expect(await read(organization, noun, row.id)).toEqual(row);
  });
});

describe('patching an asset', () => {
  const path = (id: number) => `${nouns.assets.path}/${id}`;

  it('replaces its metadata as a whole', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization, { metadata: { a: { b: 1 }, c: 2 } });
    for (const metadata of [
      { a: { d: 1 } },
      { e: null },
      { '': [] },
      {},
      withKey({ constructor: 1 }, '__proto__', { x: 1 }),
    ]) {
      const answer = await organization.patch(path(id), { metadata });
      expect(answer.body.data.metadata).toEqual(metadata);
      expect(Object.keys(answer.body.data.metadata).sort()).toEqual(Object.keys(metadata).sort());
      expect((await organization.patch(path(id), { name: 'm' })).body.data.metadata).toEqual(metadata);
    }
  });

  it.each([
    ['location_id', 1],
    ['location_id', null],
    ['location_id', 'x'],
    ['location_external_key', 'K'],
    ['location_external_key', null],
  ])('refuses %s: %s, since location is scan data', async (field, value) => {
    const organization = await world.organization();
    const asset = await createAsset(organization);
    const message = /location is collected through scan ingestion and is not directly settable/;
    expect(await organization.patch(path(asset.id), { [field]: value })).toBeInvalid({
      field,
      code: 'read_only',
      message,
    });
    expect(await read(organization, nouns.assets, asset.id)).toEqual(asset);
  });
});

describe('the read side', () => {
  it.each(bothNouns)('of a $noun by id skips the window but not the deletion', async (noun: Noun) => {
    const organization = await world.organization();
    const row = await create(organization, noun, {
      valid_from: '2999-01-01T00:00:00Z',
      valid_to: '2020-01-01T00:00:00Z',
      is_active: false,
    });
    const answer = await organization.get(`${noun.path}/${row.id}`);
    expect(answer.body).toEqual({ data: row });
    expect(Object.keys(row).sort()).toEqual([...noun.keys].sort());
    await remove(organization, noun, row.id);
    expect(await organization.get(`${noun.path}/${row.id}`)).toBeError({ type: 'not_found', detail: noun.notFound });
  });
});
