import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, createAsset, type Noun, nouns, read, remove, withKey } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';
import { patchCalls, twoTags } from './patch-calls.js';

const world = await sharedWorld();

describe.each(bothNouns)('patching a $noun', (noun) => {
  const { send, accepted } = patchCalls(noun);

  it('changes only the fields in the body', async () => {
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

  it('with an empty object changes only updated_at', async () => {
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

  it('advances updated_at even if the clock is behind it', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const table = noun === nouns.assets ? 'assets' : 'locations';
    await world.db.$executeRawUnsafe(`UPDATE ${table} SET updated_at = '2099-01-01' WHERE id = $1`, id);
    expect((await accepted(organization, id, {})).updated_at).toBe('2099-01-01T00:00:00.001Z');
    const named = await accepted(organization, id, { name: 'x', updated_at: '2099-01-01T00:00:00.001Z' });
    expect(named.updated_at).toBe('2099-01-01T00:00:00.002Z');
  });

  it('returns 404 for a deleted row', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    await remove(organization, noun, row.id);
    expect(await send(organization, row.id, { name: 'x' })).toBeError({ type: 'not_found', detail: noun.notFound });
    expect(await send(organization, row.id, { ...row })).toBeError({ type: 'not_found', detail: noun.notFound });
  });

  it('changes rows that are inactive, expired or not yet effective', async () => {
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

  it('reports every error in the order in which fields are declared', async () => {
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

  it('replaces the metadata as a whole', async () => {
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
  ])('rejects %s: %s, because the location comes from scans', async (field, value) => {
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

describe('reading by id', () => {
  it.each(bothNouns)('returns a $noun outside its validity window, but not a deleted one', async (noun: Noun) => {
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
