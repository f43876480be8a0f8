import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, keysOf, read, remove, type Row, several } from '../../support/factories.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

describe.each(bothNouns)('the list of $noun rows', (noun) => {
  const { path } = noun;

  it('finds rows by one or several external keys, with exact case', async () => {
    const organization = await world.organization();
    await several(
      organization,
      noun,
      ['K-1', 'K-2', 'k-1', 'K-3'].map((external_key) => ({ external_key })),
    );
    const find = async (...keys: string[]) => {
      const { body } = await organization.get(`${path}?${keys.map((key) => `external_key=${key}`).join('&')}`);
      expect(body.total_count).toBe(body.data.length);
      return body.data.map((row: Row) => row.external_key);
    };
    expect(await find('K-1')).toEqual(['K-1']);
    expect(await find('k-1')).toEqual(['k-1']);
    expect(await find('K-3', 'k-1', 'K-1', 'K-1', 'none')).toEqual(['K-1', 'K-3', 'k-1']);
    expect(await find('none')).toEqual([]);
    for (const key of ['', 'a.b', 'a_b', 'a%20b', '%C3%A9', 'x'.repeat(256), '%20', 'a%0A', '%00']) {
      for (const query of [`external_key=${key}`, `external_key=K-1&external_key=${key}`]) {
        const answer = await organization.get(`${path}?${query}`);
        expect(answer, query).toBeInvalid({ field: 'external_key', code: 'invalid_value' });
      }
    }
  });

  it('is filtered by is_active', async () => {
    const organization = await world.organization();
    const rows = await several(
      organization,
      noun,
      [true, false, true].map((is_active) => ({ is_active })),
    );
    const list = async (query: string) => (await organization.get(`${path}${query}`)).body;
    expect(await list('')).toMatchObject({ total_count: 3 });
    expect(await list('?is_active=true')).toMatchObject({ total_count: 2, data: [rows[0], rows[2]] });
    expect(await list('?is_active=false')).toMatchObject({ total_count: 1, data: [rows[1]] });
    for (const field of ['is_active', 'include_deleted']) {
      for (const value of ['', '1', '0', 'TRUE', 'True', 'yes', 'null', 'true%20']) {
        const message = `${field} must be 'true' or 'false'`;
        expect(await organization.get(`${path}?${field}=${value}`)).toBeInvalid({
          field,
          code: 'invalid_value',
          message,
        });
      }
      expect(await organization.get(`${path}?${field}=true&${field}=true`)).toBeInvalid({
        field,
        code: 'invalid_value',
      });
    }
  });

  it('includes deleted rows with include_deleted', async () => {
    const organization = await world.organization();
    const [kept, gone] = (await several(organization, noun, [{}, { external_key: 'GONE', is_active: false }])) as [
      Row,
      Row,
    ];
    await remove(organization, noun, gone.id);
    expect((await organization.get(path)).body).toMatchObject({ total_count: 1, data: [kept] });
    expect((await organization.get(`${path}?include_deleted=false`)).body).toMatchObject({ total_count: 1 });
    const { body } = await organization.get(`${path}?include_deleted=true&sort=created_at`);
    expect(body.total_count).toBe(2);
    expect(body.data).toEqual([kept, { ...gone, deleted_at: expect.stringMatching(/Z$/) }]);
    const found = await organization.get(`${path}?include_deleted=true&external_key=GONE&is_active=false`);
    expect(found.body).toMatchObject({ total_count: 1, data: [{ id: gone.id }] });
    expect((await organization.get(`${path}?include_deleted=true&is_active=true`)).body.total_count).toBe(1);
    expect((await organization.get(`${path}?external_key=GONE`)).body).toMatchObject({ total_count: 0, data: [] });
    await create(organization, noun, { external_key: 'GONE' });
    expect((await organization.get(`${path}?include_deleted=true&external_key=GONE`)).body.total_count).toBe(2);
    expect((await organization.get(`${path}?external_key=GONE`)).body).toMatchObject({
      total_count: 1,
      data: [{ deleted_at: null }],
    });
  });

  it('contains only rows that are effective now', async () => {
    const organization = await world.organization();
    const past = '2020-01-01T00:00:00Z';
    const future = '2999-01-01T00:00:00Z';
    const windows: [key: string, fields: Record<string, unknown>][] = [
      ['A-open', { valid_from: past }],
      ['B-within', { valid_from: past, valid_to: future }],
      ['C-inactive', { is_active: false }],
      ['X-expired', { valid_from: past, valid_to: '2021-01-01T00:00:00Z' }],
      ['X-future', { valid_from: future }],
      ['X-future-window', { valid_from: future, valid_to: '2999-02-01T00:00:00Z' }],
      ['X-backwards', { valid_from: future, valid_to: past }],
      ['X-backwards-past', { valid_from: '2021-01-01T00:00:00Z', valid_to: past }],
      ['X-empty', { valid_from: past, valid_to: past }],
      ['X-empty-future', { valid_from: future, valid_to: future }],
    ];
    const rows = await several(
      organization,
      noun,
      windows.map(([external_key, fields]) => ({ external_key, ...fields })),
    );
    const shown = ['A-open', 'B-within', 'C-inactive'];
    expect(await keysOf(organization, path)).toEqual(shown);
    expect((await organization.get(path)).body.total_count).toBe(3);
    expect((await organization.get(`${path}?is_active=true`)).body.total_count).toBe(2);
    expect((await organization.get(`${path}?is_active=false`)).body.total_count).toBe(1);
    expect(await keysOf(organization, `${path}?q=X-`)).toEqual([]);
    expect(await keysOf(organization, `${path}?external_key=X-expired&external_key=X-future`)).toEqual([]);
    for (const row of rows) expect(await read(organization, noun, row.id)).toEqual(row);
    for (const row of [rows[3], rows[4], rows[1]]) await remove(organization, noun, row?.id ?? 0);
    const all = await organization.get(`${path}?include_deleted=true`);
    expect(all.body).toMatchObject({ total_count: 3 });
    expect(all.body.data.map((row: Row) => row.external_key)).toEqual(shown);
    expect((await organization.get(path)).body.total_count).toBe(2);
  });

  it('reflects changes to valid_from and valid_to', async () => {
    const organization = await world.organization();
    const { id } = await create(organization, noun);
    const count = async () => (await organization.get(path)).body.total_count;
    for (const [change, expected] of [
      [{ valid_to: '2020-01-01T00:00:00Z' }, 0],
      [{ valid_to: null }, 1],
      [{ valid_from: '2999-01-01T00:00:00Z' }, 0],
      [{ valid_from: '2020-01-01T00:00:00Z' }, 1],
    ] as const) {
      await organization.patch(`${path}/${id}`, change);
      expect(await count()).toBe(expected);
    }
  });
});
