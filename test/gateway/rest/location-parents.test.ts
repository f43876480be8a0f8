import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { createLocation, keysOf, nouns, read, remove } from '../../support/factories.js';
import type { TestOrganization } from '../../support/world.js';
import { sharedWorld } from '../../support/world.js';

const { path } = nouns.locations;

const world = await sharedWorld();

const disagree = 'parent_id and parent_external_key both supplied and disagree; supply one, or values that agree';
const oneNull = 'parent_id and parent_external_key disagree: one is null; supply one, or values that agree';
const ambiguous = (message: string) =>
  ['parent_id', 'parent_external_key'].map((field) => ({ field, code: 'ambiguous_fields', message }));
const noId = (id: number) => ({ field: 'parent_id', code: 'fk_not_found', message: `parent_id ${id} not found` });
const noKey = (key: string) => ({
  field: 'parent_external_key',
  code: 'fk_not_found',
  message: `parent_external_key "${key}" not found`,
});

const ways = [
  {
    way: 'a create',
    send: async (organization: TestOrganization, body: Record<string, unknown>) =>
      organization.post(path, { name: 'n', ...body }),
  },
  {
    way: 'a patch',
    send: async (organization: TestOrganization, body: Record<string, unknown>) => {
      const { id } = await createLocation(organization);
      return organization.patch(`${path}/${id}`, body);
    },
  },
];

describe.each(ways)('the parent in $way', ({ send }) => {
  it('can be given by id, by key, by both or as null', async () => {
    const organization = await world.organization();
    const { id, external_key: key } = await createLocation(organization, { external_key: 'Parent-1' });
    for (const body of [{ parent_id: id }, { parent_external_key: key }, { parent_id: id, parent_external_key: key }]) {
      const { body: answer, text } = await send(organization, body);
      expect(answer.data, text).toMatchObject({ parent_id: id, parent_external_key: key });
    }
    for (const body of [
      { parent_id: null },
      { parent_external_key: null },
      { parent_id: null, parent_external_key: null },
    ]) {
      expect((await send(organization, body)).body.data).toMatchObject({ parent_id: null, parent_external_key: null });
    }
  });

  it('can be inactive, expired or not yet effective', async () => {
    const organization = await world.organization();
    for (const fields of [
      { is_active: false },
      { valid_to: '2020-01-01T00:00:00Z' },
      { valid_from: '2999-01-01T00:00:00Z' },
    ]) {
      const { id, external_key: key } = await createLocation(organization, fields);
      expect((await send(organization, { parent_id: id })).body.data.parent_external_key).toBe(key);
      expect((await send(organization, { parent_external_key: key })).body.data.parent_id).toBe(id);
    }
  });

  it('must be a live location of the organization', async () => {
    const organization = await world.organization();
    const outsider = await world.organization('Outsiders');
    const foreign = await createLocation(outsider, { external_key: 'FOREIGN' });
    const gone = await createLocation(organization, { external_key: 'GONE' });
    await remove(organization, nouns.locations, gone.id);
    for (const id of [2147483647, foreign.id, gone.id]) {
      expect(await send(organization, { parent_id: id })).toBeInvalid(noId(id));
    }
    for (const key of ['none', 'FOREIGN', 'GONE']) {
      expect(await send(organization, { parent_external_key: key })).toBeInvalid(noKey(key));
    }
    expect(await send(organization, { parent_id: gone.id, parent_external_key: 'GONE' })).toBeInvalid(
      noId(gone.id),
      noKey('GONE'),
    );
  });

  it('is rejected if its id and key disagree', async () => {
    const organization = await world.organization();
    const [one, two] = [await createLocation(organization), await createLocation(organization)];
    const both = { parent_external_key: two.external_key, parent_id: one.id };
    expect(await send(organization, both)).toBeInvalid(...ambiguous(disagree));
    expect(await send(organization, { parent_id: null, parent_external_key: one.external_key })).toBeInvalid(
      ...ambiguous(oneNull),
    );
    expect(await send(organization, { parent_id: one.id, parent_external_key: null })).toBeInvalid(
      ...ambiguous(oneNull),
    );
  });

  it('is reported as not found before a disagreement is reported', async () => {
    const organization = await world.organization();
    const { id, external_key: key } = await createLocation(organization);
    expect(await send(organization, { parent_id: id, parent_external_key: 'none' })).toBeInvalid(noKey('none'));
    expect(await send(organization, { parent_id: 2147483647, parent_external_key: key })).toBeInvalid(noId(2147483647));
    expect(await send(organization, { parent_id: null, parent_external_key: 'none' })).toBeInvalid(noKey('none'));
    expect(await send(organization, { parent_id: 2147483647, parent_external_key: null })).toBeInvalid(
      noId(2147483647),
    );
  });

  it('must have a valid key', async () => {
    const organization = await world.organization();
    for (const [key, code] of [
      ['', 'too_short'],
      [' ', 'too_short'],
      ['a b', 'invalid_value'],
      ['x'.repeat(256), 'too_long'],
      ['é', 'invalid_value'],
    ] as const) {
      expect(await send(organization, { parent_external_key: key })).toBeInvalid({
        field: 'parent_external_key',
        code,
      });
    }
  });
});

describe('moving a location', () => {
  it('moves its descendants without changing them', async () => {
    const organization = await world.organization();
    const [a, b] = [
      await createLocation(organization, { external_key: 'A' }),
      await createLocation(organization, { external_key: 'B' }),
    ];
    const child = await createLocation(organization, { parent_id: a.id, external_key: 'CHILD' });
    const grandchild = await createLocation(organization, { parent_id: child.id, external_key: 'GRANDCHILD' });
    const moved = await organization.patch(`${path}/${child.id}`, { parent_external_key: 'B' });
    expect(moved.body.data).toMatchObject({ parent_id: b.id, parent_external_key: 'B' });
    expect(moved.body.data.updated_at > child.updated_at).toBe(true);
    expect(await read(organization, nouns.locations, grandchild.id)).toEqual(grandchild);
    expect(await keysOf(organization, `${path}/${grandchild.id}/ancestors`)).toEqual(['B', 'CHILD']);
    expect(await read(organization, nouns.locations, a.id)).toEqual(a);
    const promoted = await organization.patch(`${path}/${child.id}`, { parent_id: null });
    expect(promoted.body.data).toMatchObject({ parent_id: null, parent_external_key: null });
    expect(await keysOf(organization, `${path}/${grandchild.id}/ancestors`)).toEqual(['CHILD']);
  });

  it('to its current parent changes only updated_at', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization);
    let row = await createLocation(organization, { parent_id: parent.id });
    for (const body of [
      { parent_id: parent.id },
      { parent_external_key: parent.external_key },
      { parent_id: parent.id, parent_external_key: parent.external_key },
    ]) {
      const { data } = (await organization.patch(`${path}/${row.id}`, body)).body;
      expect(data).toEqual({ ...row, updated_at: data.updated_at });
      expect(data.updated_at > row.updated_at).toBe(true);
      row = data;
    }
  });

  it('never creates a cycle', async () => {
    const organization = await world.organization();
    const a = await createLocation(organization, { external_key: 'A' });
    const b = await createLocation(organization, { external_key: 'B', parent_id: a.id });
    const c = await createLocation(organization, { external_key: 'C', parent_id: b.id });
    const self = { type: 'conflict', detail: `parent_id ${a.id} would create a self-referential cycle` };
    const through = (id: number) => ({
      type: 'conflict',
      detail: `parent_id ${id} would create a cycle through location ${a.id}`,
    });
    const patch = (body: Record<string, unknown>) => organization.patch(`${path}/${a.id}`, body);
    expect(await patch({ parent_id: a.id })).toBeError(self);
    expect(await patch({ parent_external_key: 'A' })).toBeError(self);
    expect(await patch({ parent_id: a.id, parent_external_key: 'A', name: 'new' })).toBeError(self);
    expect(await patch({ parent_id: b.id })).toBeError(through(b.id));
    expect(await patch({ parent_id: c.id })).toBeError(through(c.id));
    expect(await patch({ parent_external_key: 'C' })).toBeError(through(c.id));
    expect(await read(organization, nouns.locations, a.id)).toEqual(a);
    const d = await createLocation(organization, { external_key: 'D' });
    expect((await organization.patch(`${path}/${b.id}`, { parent_id: d.id })).status).toBe(200);
    expect((await patch({ parent_id: c.id })).status).toBe(200);
    expect(await keysOf(organization, `${path}/${a.id}/ancestors`)).toEqual(['D', 'B', 'C']);
  });

  it('uses the current key of the parent', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization, { external_key: 'OLD' });
    const child = await createLocation(organization, { parent_id: parent.id });
    await organization.post(`${path}/${parent.id}/rename`, { external_key: 'NEW' });
    expect(await read(organization, nouns.locations, child.id)).toMatchObject({ parent_external_key: 'NEW' });
    expect(await organization.patch(`${path}/${child.id}`, { parent_external_key: 'OLD' })).toBeInvalid(noKey('OLD'));
    await createLocation(organization, { external_key: 'OLD' });
    const both = { parent_id: parent.id, parent_external_key: 'OLD' };
    expect(await organization.patch(`${path}/${child.id}`, both)).toBeInvalid(...ambiguous(disagree));
  });
});

describe('the parent filters of the list', () => {
  it('find direct children by id or by key', async () => {
    const organization = await world.organization();
    const parent = await createLocation(organization, { external_key: 'P' });
    const child = await createLocation(organization, { external_key: 'C', parent_id: parent.id });
    await createLocation(organization, { external_key: 'D', parent_id: parent.id, is_active: false });
    await createLocation(organization, { external_key: 'G', parent_id: child.id });
    await createLocation(organization, { external_key: 'X', parent_id: parent.id, valid_to: '2020-01-01T00:00:00Z' });
    for (const filter of [`parent_id=${parent.id}`, 'parent_external_key=P']) {
      const { body } = await organization.get(`${path}?${filter}&sort=-external_key`);
      expect(body).toMatchObject({ total_count: 2, data: [{ external_key: 'D' }, { external_key: 'C' }] });
      expect(await keysOf(organization, `${path}?${filter}&is_active=true&q=c&external_key=C`)).toEqual(['C']);
      expect((await organization.get(`${path}?${filter}&limit=1&offset=1`)).body).toMatchObject({
        total_count: 2,
        data: [{ external_key: 'D' }],
      });
    }
    for (const filter of [
      'parent_id=2147483647',
      'parent_external_key=none',
      'parent_external_key=p',
      'parent_external_key=X',
    ]) {
      expect((await organization.get(`${path}?${filter}`)).body).toMatchObject({ total_count: 0, data: [] });
    }
    await remove(
      organization,
      nouns.locations,
      (await createLocation(organization, { external_key: 'E', parent_id: parent.id })).id,
    );
    expect(await keysOf(organization, `${path}?parent_id=${parent.id}`)).toEqual(['C', 'D']);
    expect(await keysOf(organization, `${path}?parent_id=${parent.id}&include_deleted=true`)).toEqual(['C', 'D', 'E']);
    expect(await keysOf(organization, `${path}?parent_external_key=P&include_deleted=true`)).toEqual(['C', 'D', 'E']);
  });

  it('find nothing in other organizations', async () => {
    const [ours, theirs] = [await world.organization(), await world.organization()];
    const parent = await createLocation(ours, { external_key: 'P' });
    await createLocation(ours, { parent_id: parent.id });
    await createLocation(theirs, { external_key: 'P' });
    for (const filter of [`parent_id=${parent.id}`, 'parent_external_key=P']) {
      expect((await theirs.get(`${path}?${filter}`)).body).toMatchObject({ total_count: 0, data: [] });
    }
  });

  it('are mutually exclusive, even if they agree', async () => {
    const organization = await world.organization();
    const { id } = await createLocation(organization, { external_key: 'P' });
    const message = 'parent_id and parent_external_key are mutually exclusive; supply exactly one';
    for (const query of [`parent_id=${id}&parent_external_key=P`, `parent_external_key=Q&parent_id=${id}`]) {
      expect(await organization.get(`${path}?${query}`)).toBeInvalid(...ambiguous(message));
    }
  });

  it('reject invalid and repeated values', async () => {
    const organization = await world.organization();
    const id = 'parent_id';
    for (const [value, expected] of [
      ['0', { code: 'too_small' }],
      ['2147483648', { code: 'too_large', params: { max: 2147483647 } }],
      ['abc', { code: 'invalid_value', message: 'parent_id must be an integer' }],
      ['null', { code: 'invalid_value', message: 'parent_id must be an integer' }],
      ['', { code: 'invalid_value', message: 'parent_id must be an integer' }],
    ] as const) {
      expect(await organization.get(`${path}?parent_id=${value}`)).toBeInvalid({ field: id, ...expected });
    }
    expect(await organization.get(`${path}?parent_id=1&parent_id=1`)).toBeInvalid({ field: id, code: 'invalid_value' });
    for (const query of [
      'parent_external_key=a.b',
      'parent_external_key=',
      'parent_external_key=a&parent_external_key=a',
    ]) {
      expect(await organization.get(`${path}?${query}`)).toBeInvalid({
        field: 'parent_external_key',
        code: 'invalid_value',
      });
    }
  });
});
