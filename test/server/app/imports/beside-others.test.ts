import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { releaseAbandonedKeys } from '../../../../server/app/imports/key-reservations.js';
import { sharedScanWorld, type ScanOrganization, type ScanWorld } from '../../../support/scan-world.js';
import { checkFile, problemsOf, settled } from './import-file.js';

let world: ScanWorld;
/** A connection that holds an import at the end of its work. */
let holder: pg.Client;

beforeAll(async () => {
  world = await sharedScanWorld();
  holder = new pg.Client({ connectionString: world.databaseUrl });
  await holder.connect();
});

afterAll(async () => {
  await holder.end();
});

/** Applies a file, and calls `meanwhile` when all its rows are written and not committed. */
async function whileApplied(org: ScanOrganization, importId: string, meanwhile: () => Promise<unknown>): Promise<void> {
  await holder.query('BEGIN');
  // What an import holds is deleted after its rows were written.
  await holder.query('SELECT FROM import_rows WHERE import_id = $1 FOR UPDATE', [importId]);
  await org.admin.imports.applyFile({ import_id: importId });
  await vi.waitFor(
    async () => {
      const [row] = await world.db.$queryRaw<{ n: number }[]>`
        SELECT count(*)::int AS n FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE 'DELETE FROM import_rows%'`;
      expect(row?.n).toBe(1);
    },
    { timeout: 30_000, interval: 10 },
  );
  try {
    await meanwhile();
  } finally {
    await holder.query('COMMIT');
  }
}

const keysOf = async ({ orgId }: ScanOrganization) =>
  (await world.db.asset.findMany({ where: { orgId, deletedAt: null } })).map(({ externalKey }) => externalKey).sort();

const create = (org: ScanOrganization, name: string) => org.admin.assets.create({ name, tags: [] });

it('creates without a key go on while an import with such keys is applied, and take the next ones', async () => {
  const org = await world.organization();
  const checked = await checkFile(org.admin, {
    columns: ['external_key', 'name'],
    rows: [
      ['', 'a'],
      ['', 'b'],
      ['ASSET-0002', 'c'],
    ],
  });
  await whileApplied(org, checked.id, async () => {
    expect((await create(org, 'beside')).data.external_key).toBe('ASSET-0004');
  });
  expect((await settled(org.admin, checked.id)).status).toBe('applied');
  expect(await keysOf(org)).toEqual(['ASSET-0001', 'ASSET-0002', 'ASSET-0003', 'ASSET-0004']);
  expect((await create(org, 'after')).data.external_key).toBe('ASSET-0005');
});

it('the keys of an import that does not come to its end are free again', async () => {
  const org = await world.organization();
  const freed = (await create(org, 'freed')).data.id;
  await org.admin.assets.delete({ asset_id: freed });
  const checked = await checkFile(org.admin, {
    columns: ['external_key', 'name'],
    rows: [
      ['', 'a'],
      ['', 'b'],
      ['ASSET-0004', 'c'],
    ],
  });
  await whileApplied(org, checked.id, async () => {
    expect((await create(org, 'beside')).data.external_key).toBe('ASSET-0003');
    expect((await create(org, 'beside')).data.external_key).toBe('ASSET-0005');
    await world.db.$executeRaw`UPDATE imports SET lease_token = NULL WHERE id = ${checked.id}::uuid`;
  });
  await expect.poll(() => world.db.freedKey.count({ where: { orgId: org.orgId, leaseToken: { not: null } } })).toBe(0);
  for (const key of ['ASSET-0001', 'ASSET-0002', 'ASSET-0004', 'ASSET-0006']) {
    expect((await create(org, 'after')).data.external_key).toBe(key);
  }
});

it('keys that an ended process had reserved are free again, except those that rows have', async () => {
  const org = await world.organization();
  await create(org, 'taken');
  const slots = [1, 2].map((slot) => ({ orgId: org.orgId, kind: 'asset', slot, leaseToken: randomUUID() }));
  await world.db.freedKey.createMany({ data: slots });
  expect((await create(org, 'beside')).data.external_key).toBe('ASSET-0003');
  await releaseAbandonedKeys(world.db);
  expect((await create(org, 'first')).data.external_key).toBe('ASSET-0002');
  expect((await create(org, 'second')).data.external_key).toBe('ASSET-0004');
});

it('the tree can be changed while a file of locations is applied', async () => {
  const org = await world.organization();
  const top = (await org.admin.locations.create({ external_key: 'TOP', name: 'Top', tags: [] })).data.id;
  const checked = await checkFile(org.admin, {
    kind: 'locations',
    columns: ['external_key', 'name', 'parent_external_key'],
    rows: [
      ['A', 'a', 'TOP'],
      ['B', 'b', 'A'],
    ],
  });
  await whileApplied(org, checked.id, async () => {
    const child = await org.admin.locations.create({ external_key: 'C', name: 'c', parent_id: top, tags: [] });
    await org.admin.locations.update({ location_id: child.data.id, parent_id: null });
  });
  expect((await settled(org.admin, checked.id)).status).toBe('applied');
});

it('a file of locations is not applied below one that was deleted meanwhile', async () => {
  const org = await world.organization();
  const top = (await org.admin.locations.create({ external_key: 'TOP', name: 'Top', tags: [] })).data.id;
  const checked = await checkFile(org.admin, {
    kind: 'locations',
    columns: ['external_key', 'name', 'parent_external_key'],
    rows: [['A', 'a', 'TOP']],
  });
  await whileApplied(org, checked.id, () => org.admin.locations.delete({ location_id: top }));
  expect((await settled(org.admin, checked.id)).status).toBe('checked');
  expect(await problemsOf(org.admin, checked)).toEqual([
    '2 parent_external_key: the parent was moved or deleted after the check',
  ]);
});

it('a file that would nest locations more than 64 levels deep has its lines named', async () => {
  const org = await world.organization();
  const rows = Array.from({ length: 66 }, (_, index) => [`L${index}`, 'level', index === 0 ? '' : `L${index - 1}`]);
  const checked = await checkFile(org.admin, {
    kind: 'locations',
    columns: ['external_key', 'name', 'parent_external_key'],
    rows,
  });
  expect(await problemsOf(org.admin, checked)).toEqual([
    '66 parent_external_key: locations can be nested 64 levels deep',
  ]);
});
