import pg from 'pg';
import { expect, it } from 'vitest';
import { lockClasses } from '../../../../server/kernel/database/locks.js';
import { createIngestion } from '../../../../server/tracking/scans/ingestion.js';
import { sharedScanWorld } from '../../../support/scan-world.js';
import { undoBatch } from '../../../support/undo.js';
import { checkFile, settled } from '../../app/imports/import-file.js';
import { burstTag, countStored, createBurst, expectVisitsOfEvents } from './burst.js';

const world = await sharedScanWorld();

it('stores every acknowledged read once while imports place assets and are undone', async () => {
  const [assetCount, createdCount, placedCount] = [20, 5, 10];
  const org = await world.organization();
  const { orgId, admin } = org;
  const ward = await org.location({ externalKey: 'WARD' });
  const assets: number[] = [];
  for (let no = 0; no < assetCount; no += 1) {
    assets.push(await org.asset({ externalKey: `A-${no}`, tags: [['rfid', burstTag(no)]] }));
  }
  const { dock, hall, startMs, messageOf } = await createBurst(org);
  const other = createIngestion(world);
  let tags = assetCount;
  let rounds = 0;
  let reads = 0;
  /** Stores the messages of a round, each by another process. */
  async function storeRound(): Promise<void> {
    const round = rounds;
    rounds += 1;
    reads += 2 * tags;
    await Promise.all([
      world.core.ingestion.ingest(messageOf(round, 0, tags)),
      other.ingest(messageOf(round, 1, tags)),
    ]);
  }
  await storeRound();

  // Half of the assets are placed, and more are created. Their tags are read from then on, also after the undo.
  const placed = Array.from({ length: placedCount }, (_, no) => [`A-${no}`, 'A', 'WARD', burstTag(no)]);
  const created = Array.from({ length: createdCount }, (_, n) => [`N-${n}`, 'N', 'WARD', burstTag(assetCount + n)]);
  const columns = ['external_key', 'name', 'place_at', 'rfid_tags'];
  const { id } = await checkFile(admin, { columns, rows: [...placed, ...created] });
  async function applyAndUndo(): Promise<void> {
    // That assets were seen elsewhere is a warning.
    await admin.imports.applyFile({ import_id: id, despite_warnings: true });
    expect((await settled(admin, id)).status).toBe('applied');
    tags += createdCount;
    await storeRound();
    await undoBatch(admin, id);
  }
  let isUndone = false;
  const work = [applyAndUndo().finally(() => (isUndone = true))];
  for (let after = 0; after < 3; after += isUndone ? 1 : 0) {
    work.push(storeRound());
    if (rounds % 3 === 0) await Promise.all(work.slice(1));
  }
  await Promise.all(work);
  await other.stop(1000);

  const { events, unknown, byHand } = await countStored(world, orgId);
  expect({ reads: events + unknown, byHand }).toEqual({ reads, byHand: placedCount + createdCount });
  const made = await world.db.asset.findMany({ where: { orgId, externalKey: { startsWith: 'N-' } } });
  expect(made.map(({ deletedAt }) => deletedAt === null)).toEqual(Array.from({ length: createdCount }, () => false));
  const arrivals = await expectVisitsOfEvents(world, orgId, assets);

  // As one process that judges the same reads alone: each round moves each asset twice. A placement is newer than all reads.
  const positions = new Map((await org.positions()).map((position) => [position.asset_id, position.location_id]));
  for (const [no, assetId] of assets.entries()) {
    const isPlaced = no < placedCount;
    const expected = Array.from({ length: rounds * 2 }, (_, n) => ({
      at: startMs + n * 500 + no,
      location: n % 2 === 0 ? dock : hall,
    }));
    expect(arrivals.get(assetId)?.slice(0, rounds * 2)).toEqual(expected);
    expect(
      arrivals
        .get(assetId)
        ?.slice(rounds * 2)
        .map(({ location }) => location),
    ).toEqual(isPlaced ? [ward] : []);
    expect(positions.get(assetId)).toBe(isPlaced ? ward : hall);
  }
});

it('acknowledges no read while the outbox is full, and stores each with one event once it has space', async () => {
  const [assetCount, rounds] = [20, 24];
  const org = await world.organization();
  const { orgId } = org;
  const assets: number[] = [];
  for (let no = 0; no < assetCount; no += 1) assets.push(await org.asset({ tags: [['rfid', burstTag(no)]] }));
  const { messageOf } = await createBurst(org);
  const interests = { wants: (id: number) => id === orgId, start: async () => {}, stop: async () => {} };
  const processes = [createIngestion({ ...world, interests }), createIngestion({ ...world, interests })] as const;
  const client = new pg.Client(world.databaseUrl);
  await client.connect();
  // Nobody routes the events of the organization meanwhile, so that they can be counted.
  await client.query('SELECT pg_advisory_lock($1, $2)', [lockClasses.eventRouting, orgId]);
  await client.query(`
    CREATE FUNCTION refuse_outbox_of_test() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
    CREATE TRIGGER refuse_outbox_of_test BEFORE INSERT ON outbox_events
      FOR EACH ROW WHEN (NEW.org_id = ${orgId}) EXECUTE FUNCTION refuse_outbox_of_test()`);
  let acknowledged = 0;
  const work: Promise<unknown>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const reader of [0, 1] as const) {
      work.push(processes[reader].ingest(messageOf(round, reader, assetCount)).then(() => (acknowledged += 1)));
    }
  }
  await expect.poll(() => processes.map((process) => process.stats().retries > 1)).toEqual([true, true]);
  expect(acknowledged).toBe(0);
  expect(await countStored(world, orgId)).toEqual({ events: 0, unknown: 0, byHand: 0 });

  await client.query('DROP TRIGGER refuse_outbox_of_test ON outbox_events; DROP FUNCTION refuse_outbox_of_test()');
  await Promise.all(work);
  for (const process of processes) await process.stop(1000);
  expect(await countStored(world, orgId)).toEqual({ events: rounds * 2 * assetCount, unknown: 0, byHand: 0 });
  const arrivals = await expectVisitsOfEvents(world, orgId, assets);
  // Late reads correct the history and are no moves, so which arrivals are moves depends on the order of the batches.
  const { rows } = await client.query<{ asset_id: number; at: number; to: number }>(
    `SELECT asset_id, (extract(epoch FROM occurred_at) * 1000)::float8 AS at, (data ->> 'to_id')::int AS to
       FROM outbox_events WHERE org_id = $1`,
    [orgId],
  );
  await client.end();
  expect(new Set(rows.map(({ asset_id }) => asset_id)).size).toBe(assetCount);
  expect(new Set(rows.map(({ asset_id, at }) => `${asset_id} ${at}`)).size).toBe(rows.length);
  for (const { asset_id, at, to } of rows) expect(arrivals.get(asset_id)).toContainEqual({ at, location: to });
});
