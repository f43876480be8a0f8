import { describe, expect, it, vi } from 'vitest';
import pg from 'pg';
import type { TransactionClient } from '../../../../server/kernel/database/client.js';
import { removeOldImports } from '../../../../server/app/imports/queries.js';
import { refusalOf } from '../../../support/caller.js';
import { sharedScanWorld, type ScanOrganization } from '../../../support/scan-world.js';
import { applyChecked, checkFile, importFile, problemsOf, sendFile, settled } from './import-file.js';

const world = await sharedScanWorld();

const columns = ['external_key', 'name', 'rfid_tags'];

const countOf = ({ orgId }: ScanOrganization) => world.db.asset.count({ where: { orgId, deletedAt: null } });

const addAsset = (tx: TransactionClient, orgId: number, key: string) =>
  tx.$queryRaw<[{ id: number }]>`
    INSERT INTO assets (org_id, external_key, name, valid_from, created_at, updated_at)
    VALUES (${orgId}::int, ${key}, ${key}, now(), now(), now())
    RETURNING id`;

/** Does what `hold` does in a transaction, starts the work, and commits once the work waits for it and `meanwhile` is done. */
async function whileHeld(
  hold: (tx: TransactionClient) => Promise<unknown>,
  work: () => Promise<unknown>,
  meanwhile?: () => Promise<unknown>,
): Promise<void> {
  await world.db.$transaction(
    async (tx) => {
      await hold(tx);
      await work();
      await vi.waitFor(
        async () => {
          const [row] = await world.db.$queryRaw<[{ n: number }]>`
            SELECT count(*)::int AS n FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`;
          expect(row.n).toBeGreaterThan(0);
        },
        { timeout: 30_000, interval: 10 },
      );
      await meanwhile?.();
    },
    { timeoutMs: 30_000 },
  );
}

describe('an import is applied once', () => {
  it('by one of two who apply it at the same time', async () => {
    const org = await world.organization();
    const checked = await checkFile(org.admin, { columns, rows: [['A-1', 'x', '']] });
    const calls = await Promise.allSettled([1, 2, 3].map(() => org.admin.imports.applyFile({ import_id: checked.id })));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await settled(org.admin, checked.id)).toMatchObject({ status: 'applied' });
    expect(await refusalOf(org.admin.imports.applyFile({ import_id: checked.id }))).toMatchObject({
      type: 'conflict',
      detail: 'This import has been applied already',
    });
    expect(await countOf(org)).toBe(1);
  });

  it('and one at a time of an organization', async () => {
    const org = await world.organization();
    const held = await org.asset();
    const { externalKey } = await world.db.asset.findUniqueOrThrow({ where: { id: held } });
    const first = await checkFile(org.admin, { columns, rows: [[externalKey, 'x', '']] });
    const second = await sendFile(org.admin, { columns, rows: [['A-2', 'x', '']] });
    await whileHeld(
      (tx) => tx.$queryRaw`SELECT 1 FROM assets WHERE id = ${held} FOR UPDATE`,
      async () => {
        await org.admin.imports.applyFile({ import_id: first.id });
        expect(await refusalOf(org.admin.imports.check({ import_id: second }))).toMatchObject({
          type: 'conflict',
          detail: expect.stringContaining('Another import'),
        });
      },
    );
    expect(await settled(org.admin, first.id)).toMatchObject({ status: 'applied', to_change: 1 });
  });
});

describe('what happened since the check', () => {
  it('is reported by line, and nothing is applied until it is checked again', async () => {
    const org = await world.organization();
    const { admin } = org;
    const { data: gone } = await admin.assets.create({ name: 'Gone', external_key: 'GONE' });
    const { data: edited } = await admin.assets.create({ name: 'Edited', external_key: 'EDITED' });
    const file = {
      columns,
      rows: [
        ['NEW', 'x', ''],
        ['GONE', 'x', ''],
        ['EDITED', 'x', ''],
        ['OTHER', 'x', 'T1'],
      ],
    };
    const checked = await checkFile(admin, file);
    await admin.assets.create({ name: 'Faster', external_key: 'NEW' });
    await admin.assets.delete({ asset_id: gone.id });
    await admin.assets.update({ asset_id: edited.id, name: 'Edited again' });
    await admin.assets.create({ name: 'Tagged', tags: [{ tag_type: 'rfid', value: 'T1' }] });
    const refused = await applyChecked(admin, checked);
    expect(refused).toMatchObject({ status: 'checked', problem_count: 4, failure: 'import_outdated' });
    expect(await problemsOf(admin, checked)).toEqual([
      '2 external_key: asset with external_key NEW already exists',
      '3 external_key: asset with external_key GONE was deleted after the check',
      '4 external_key: asset with external_key EDITED was changed after the check',
      '5 rfid_tags: tag rfid:T1 already exists',
    ]);
    expect((await admin.assets.get({ asset_id: edited.id })).data.name).toBe('Edited again');
    await admin.imports.check({ import_id: checked.id });
    expect(await settled(admin, checked.id)).toMatchObject({ problem_count: 1, to_create: 2, to_change: 2 });
  });

  it.each([
    [
      'a key',
      (tx: TransactionClient, orgId: number) => addAsset(tx, orgId, 'A-2'),
      '3 external_key: asset with external_key A-2 already exists',
    ],
    [
      'a tag',
      async (tx: TransactionClient, orgId: number) => {
        const [{ id }] = await addAsset(tx, orgId, 'OTHER');
        await tx.$executeRaw`
          INSERT INTO tags (org_id, asset_id, tag_type, value) VALUES (${orgId}::int, ${id}::int, 'rfid', 'T2')`;
      },
      '3 rfid_tags: tag rfid:T2 already exists',
    ],
  ])('is reported too where %s is taken in the very moment of writing', async (_what, take, problem) => {
    const org = await world.organization();
    const rows = [
      ['A-1', 'x', 'T1'],
      ['A-2', 'x', 'T2'],
    ];
    const checked = await checkFile(org.admin, { columns, rows });
    await whileHeld(
      (tx) => take(tx, org.orgId),
      () => org.admin.imports.applyFile({ import_id: checked.id }),
    );
    expect(await settled(org.admin, checked.id)).toMatchObject({ status: 'checked', problem_count: 1 });
    expect(await problemsOf(org.admin, checked)).toEqual([problem]);
    expect(await countOf(org)).toBe(1);
  });
});

describe('work that has lost its lease', () => {
  it.each([
    ['cancelled', (org: ScanOrganization, id: string) => org.admin.imports.cancel({ import_id: id }), 'cancelled'],
    [
      'taken over',
      (_org: ScanOrganization, id: string) =>
        world.db.import.update({ where: { id }, data: { leaseToken: crypto.randomUUID() } }),
      'applying',
    ],
  ])('because it was %s in the middle does not count', async (_what, take, status) => {
    const org = await world.organization();
    const held = await org.asset();
    const { externalKey } = await world.db.asset.findUniqueOrThrow({ where: { id: held } });
    const rows = [
      [externalKey, 'changed', ''],
      ['A-1', 'x', 'T1'],
    ];
    const checked = await checkFile(org.admin, { columns, rows });
    await whileHeld(
      (tx) => tx.$queryRaw`SELECT 1 FROM assets WHERE id = ${held} FOR UPDATE`,
      () => org.admin.imports.applyFile({ import_id: checked.id }),
      () => take(org, checked.id),
    );
    // The next one of the organization has to wait for the locks of the first, and so sees how that ended.
    await world.db.$transaction((tx) => tx.$queryRaw`SELECT pg_advisory_xact_lock(1, ${org.orgId}::int)::text`);
    expect(await countOf(org)).toBe(1);
    expect(await world.db.import.findUnique({ where: { id: checked.id } })).toMatchObject({ status });
    expect(await world.db.asset.findUnique({ where: { id: held } })).toMatchObject({ name: 'A thing' });
  });

  it('because its process has ended is reported, and can be started again', async () => {
    const org = await world.organization();
    const checked = await checkFile(org.admin, { columns, rows: [['A-1', 'x', '']] });
    await world.db.import.update({
      where: { id: checked.id },
      data: { status: 'applying', leaseToken: crypto.randomUUID(), leaseUntil: new Date(Date.now() - 1000) },
    });
    expect(await org.admin.imports.get({ import_id: checked.id })).toMatchObject({
      status: 'checked',
      failure: 'import_interrupted',
    });
    expect(await applyChecked(org.admin, checked)).toMatchObject({ status: 'applied', failure: null });
  });
});

it('10,000 rows take as many statements as pages, and apply as one', { timeout: 60_000 }, async () => {
  const org = await world.organization();
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const rows = Array.from({ length: 10_000 }, (_, n) => [n % 2 === 0 ? '' : `K-${n}`, `Thing ${n}`, `E280${n}`]);
  const applied = await importFile(org.admin, { columns, rows });
  const statements = query.mock.calls.map(([statement]) => JSON.stringify(statement));
  query.mockRestore();
  // Not those that look on meanwhile, which are more the longer it takes.
  const ofRows = statements.filter((statement) => /\b(?:import_rows|assets|tags)\b/.test(statement));
  expect(ofRows.length).toBeLessThan(1200);
  const writes = statements.filter((statement) => statement.includes('INSERT INTO assets'));
  expect(applied).toMatchObject({ status: 'applied', to_create: 10_000 });
  expect(writes).toHaveLength(1);
  expect(await countOf(org)).toBe(10_000);
  const { data } = await org.admin.assets.list({ sort: 'external_key', limit: 1 });
  expect(data).toMatchObject([{ external_key: 'ASSET-0001', name: 'Thing 0' }]);
  expect((await org.admin.assets.create({ name: 'Next' })).data.external_key).toBe('ASSET-5001');
});

it('imports are removed after a week, with their rows', async () => {
  const org = await world.organization();
  const old = await sendFile(org.admin, { columns, rows: [['A-1', 'x', '']] });
  const recent = await sendFile(org.admin, { columns, rows: [['A-1', 'x', '']] });
  await world.db.import.update({ where: { id: old }, data: { createdAt: new Date(Date.now() - 8 * 86_400_000) } });
  await removeOldImports(world.db);
  expect((await org.admin.imports.list()).data.map(({ id }) => id)).toEqual([recent]);
  expect(await world.db.importRow.count({ where: { orgId: org.orgId } })).toBe(1);
});
