import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { bothNouns, create, nouns, read, type Row, several } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld } from '../../support/world.js';

const world = await sharedWorld();

/** All rows of a list, read in pages of the given size. */
async function paged(client: RestClient, path: string, limit: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let offset = 0; ; offset += limit) {
    const { body } = await client.get(`${path}${path.includes('?') ? '&' : '?'}limit=${limit}&offset=${offset}`);
    rows.push(...body.data);
    if (body.data.length < limit) return rows;
  }
}

describe.each(bothNouns)('the list of $noun rows', (noun) => {
  const { path } = noun;
  const sortFields =
    noun === nouns.assets
      ? ['external_key', 'name', 'created_at', 'updated_at']
      : ['external_key', 'name', 'created_at'];
  const locationFilters = noun === nouns.assets ? [] : ['parent_id', 'parent_external_key'];

  it('is sorted by key in pages of 50 by default', async () => {
    const organization = await world.organization();
    expect((await organization.get(path)).body).toEqual({ data: [], limit: 50, offset: 0, total_count: 0 });
    const rows = await several(
      organization,
      noun,
      Array.from({ length: 52 }, () => ({})),
    );
    const { body } = await organization.get(path);
    expect(Object.keys(body).sort()).toEqual(['data', 'limit', 'offset', 'total_count']);
    expect(body).toEqual({ data: rows.slice(0, 50), limit: 50, offset: 0, total_count: 52 });
    expect((await organization.get(`${path}?limit=200`)).body).toEqual({
      data: rows,
      limit: 200,
      offset: 0,
      total_count: 52,
    });
    expect((await organization.get(`${path}?offset=50&limit=1`)).body).toEqual({
      data: rows.slice(50, 51),
      limit: 1,
      offset: 50,
      total_count: 52,
    });
    for (const offset of [52, 53, 2147483647]) {
      expect((await organization.get(`${path}?offset=${offset}`)).body).toEqual({
        data: [],
        limit: 50,
        offset,
        total_count: 52,
      });
    }
  });

  it('rejects an invalid limit or offset', async () => {
    const organization = await world.organization();
    const integer = (field: string) => ({ field, code: 'invalid_value', message: `${field} must be an integer` });
    for (const field of ['limit', 'offset']) {
      for (const value of ['', 'abc', '1.0', '1e1', '%2B1', '%201', '1%20', 'NaN', 'true', '0x1', '%00']) {
        expect(await organization.get(`${path}?${field}=${value}`), value).toBeInvalid(integer(field));
      }
      expect(await organization.get(`${path}?${field}`)).toBeInvalid(integer(field));
      const twice = await organization.get(`${path}?${field}=1&${field}=1`);
      expect(twice).toBeInvalid({ field, code: 'invalid_value' });
    }
    const bounds = [
      ['limit', '0', { code: 'too_small', message: 'limit must be >= 1', params: { min: 1 } }],
      ['limit', '-1', { code: 'too_small', message: 'limit must be >= 1', params: { min: 1 } }],
      ['limit', '201', { code: 'too_large', message: 'limit must be <= 200', params: { max: 200 } }],
      ['limit', '9223372036854775808', { code: 'too_large', message: 'limit must be <= 200', params: { max: 200 } }],
      ['offset', '-1', { code: 'too_small', message: 'offset must be >= 0', params: { min: 0 } }],
      [
        'offset',
        '2147483648',
        { code: 'too_large', message: 'offset must be <= 2147483647', params: { max: 2147483647 } },
      ],
    ] as const;
    for (const [field, value, expected] of bounds) {
      expect(await organization.get(`${path}?${field}=${value}`)).toBeInvalid({ field, ...expected });
    }
  });

  it.each(['', '&include_deleted=true', '&is_active=true'])(
    'follows the requested order, and its pages never overlap%s',
    async (filter) => {
      const organization = await world.organization();
      // Equal names and instants, so that only the id distinguishes the rows.
      const names = ['b', 'a', 'a', 'B', 'a', 'b', 'é', '\ufffdx', '😀x', 'a b', 'a', 'a-'];
      await several(
        organization,
        noun,
        names.map((name, index) => ({ name, external_key: `${'cab'[index % 3]}${index}` })),
      );
      const table = noun === nouns.assets ? 'assets' : 'locations';
      await world.db.$executeRawUnsafe(
        `UPDATE ${table} SET created_at = '2024-01-01'::timestamptz + (id % 3) * interval '1 day',
              updated_at = '2024-02-01'::timestamptz + (id % 2) * interval '1 day' WHERE org_id = $1`,
        organization.orgId,
      );
      const rows = (await organization.get(`${path}?limit=200`)).body.data as Row[];
      expect(rows).toHaveLength(names.length);
      for (const field of sortFields as ('name' | 'created_at')[]) {
        for (const descending of [false, true]) {
          const expected = rows.toSorted(
            (a, b) => (descending ? -1 : 1) * byCodePoint(a[field], b[field]) || a.id - b.id,
          );
          const sorted = `${path}?sort=${descending ? '-' : ''}${field}${filter}`;
          expect(idsOf(await paged(organization, sorted, 200)), sorted).toEqual(idsOf(expected));
          expect(idsOf(await paged(organization, sorted, 5)), sorted).toEqual(idsOf(expected));
        }
      }
      const two = await paged(organization, `${path}?sort=name,-created_at${filter}`, 5);
      expect(idsOf(two)).toEqual(
        idsOf(
          rows.toSorted(
            (a, b) => byCodePoint(a.name, b.name) || byCodePoint(b.created_at, a.created_at) || a.id - b.id,
          ),
        ),
      );
      const byKey = idsOf(rows.toSorted((a, b) => byCodePoint(a.external_key, b.external_key)));
      expect(idsOf(await paged(organization, `${path}?sort=${filter}`, 200))).toEqual(byKey);
      expect(idsOf(await paged(organization, `${path}?${filter.slice(1)}`, 5))).toEqual(byKey);
    },
  );

  it('rejects invalid sort orders', async () => {
    const organization = await world.organization();
    const unknown = [
      'id',
      'foo',
      'Name',
      'name%20',
      '%2Bname',
      'name:asc',
      'description',
      'is_active',
      'name;-id',
      'tags',
      '__proto__',
      ...(noun === nouns.assets ? ['metadata'] : ['updated_at', 'parent_id']),
    ];
    for (const name of unknown) {
      for (const sign of ['', '-']) {
        const message = `unknown sort field: ${decodeURIComponent(name)}`;
        expect(await organization.get(`${path}?sort=${sign}${name}`)).toBeInvalid({
          field: 'sort',
          code: 'invalid_value',
          message,
        });
      }
      expect(await organization.get(`${path}?sort=name,${name}`)).toBeInvalid({ field: 'sort', code: 'invalid_value' });
    }
    for (const text of [
      'name,name',
      'name,-name',
      '-name,created_at,name',
      'name,',
      ',name',
      ',',
      'name,,created_at',
      '-',
      'name,-',
      '--name',
    ]) {
      expect(await organization.get(`${path}?sort=${text}`), text).toBeInvalid({
        field: 'sort',
        code: 'invalid_value',
      });
    }
    expect(await organization.get(`${path}?sort=name&sort=name`)).toBeInvalid({ field: 'sort', code: 'invalid_value' });
  });

  it('reports all errors of its query at once', async () => {
    const organization = await world.organization();
    const query = [
      'color=red',
      'sort=foo',
      'offset=-1',
      'limit=0',
      'include_deleted=x',
      'q=',
      'is_active=x',
      'external_key=a.b',
      'Limit=1',
      'location_id=1',
      '__proto__=1',
      'constructor=1',
    ];
    const unknown = (field: string) => ({ field, code: 'unknown_field', message: `unknown parameter: ${field}` });
    expect(await organization.get(`${path}?${query.join('&')}`)).toBeInvalid(
      { field: 'external_key', code: 'invalid_value' },
      { field: 'is_active', code: 'invalid_value' },
      { field: 'q', code: 'too_short' },
      { field: 'include_deleted', code: 'invalid_value' },
      { field: 'limit', code: 'too_small' },
      { field: 'offset', code: 'too_small' },
      { field: 'sort', code: 'invalid_value' },
      unknown('color'),
      unknown('Limit'),
      unknown('location_id'),
      unknown('__proto__'),
      unknown('constructor'),
    );
  });

  it('rejects text that cannot be stored', async () => {
    const organization = await world.organization();
    for (const value of ['%00', 'a%00b', '%ED%A0%80', '%FF', '%C0%AF', '%', '%zz', 'a%4']) {
      for (const field of ['external_key', 'is_active', 'q', 'sort', ...locationFilters]) {
        const answer = await organization.get(`${path}?${field}=${value}`);
        expect(answer, value).toBeInvalid({ field, code: 'invalid_value' });
      }
    }
  });

  it('contains only rows of the organization', async () => {
    const [ours, theirs] = [await world.organization(), await world.organization()];
    await several(ours, noun, [{ external_key: 'K', name: 'shared' }, {}]);
    await several(theirs, noun, [{ external_key: 'K', name: 'shared' }]);
    for (const query of ['', '?external_key=K', '?q=shared', '?include_deleted=true', '?is_active=true']) {
      const { body } = await theirs.get(`${path}${query}`);
      expect(body).toMatchObject({ total_count: 1, data: [{ external_key: 'K' }] });
    }
  });

  it('has parameters that reads of one row and writes reject', async () => {
    const organization = await world.organization();
    const row = await create(organization, noun);
    const filters = [
      'external_key=K',
      'is_active=true',
      'q=a',
      'include_deleted=true',
      'limit=1',
      'offset=0',
      ...locationFilters.map((name) => `${name}=1`),
    ];
    const calls: [method: string, path: string, body?: unknown][] = [
      ['GET', `${path}/${row.id}`],
      ['PATCH', `${path}/${row.id}`, { name: 'changed' }],
      ['DELETE', `${path}/${row.id}`],
      ['POST', path, { name: 'n' }],
      ['POST', `${path}/${row.id}/rename`, { external_key: 'new' }],
      ['POST', `${path}/${row.id}/tags`, { tag_type: 'ble', value: 'v' }],
      ['DELETE', `${path}/${row.id}/tags/1`],
    ];
    for (const [method, target, body] of calls) {
      for (const filter of filters) {
        const field = filter.split('=')[0] ?? '';
        const words = field === 'include_deleted' ? `GET ${path}?external_key=<key>&include_deleted=true` : path;
        const answer = await organization.call(method, `${target}?${filter}`, { body });
        expect(answer, `${method} ${target} ${filter}`).toBeInvalid({ field, code: 'invalid_context' });
        expect(answer.body.error.fields[0].message).toContain(words);
      }
      const mixed = await organization.call(method, `${target}?color=red&limit=0`, { body });
      expect(mixed).toBeInvalid({ field: 'color', code: 'unknown_field' }, { field: 'limit', code: 'invalid_context' });
    }
    expect(await read(organization, noun, row.id)).toEqual(row);
    expect((await organization.get(path)).body.total_count).toBe(1);
  });
});

function idsOf(rows: readonly Row[]): number[] {
  return rows.map((row) => row.id);
}

/** UTF-8 keeps the order of code points, which UTF-16 does not. */
function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
