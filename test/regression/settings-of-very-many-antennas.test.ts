import { it, vi } from 'vitest';
import { antennaKey } from '../../server/locating/index.js';
import { antennasPerOrganizationMax } from '../../server/tracking/readers/quota.js';
import { createLocatingKnowledge, type LocatingKnowledge } from '../../server/tracking/scans/locating-knowledge.js';
import { fileWorld } from '../support/shared.js';
import { createScanWorld, type ScanOrganization, type ScanWorld } from '../support/scan-world.js';

const world = fileWorld(createScanWorld);

/** A database that counts the answers with rows, and the refreshes, which each read the clock once. */
function counted(db: ScanWorld['db']) {
  const counts = { refreshes: 0, rows: 0, largest: 0 };
  const counting = new Proxy(db, {
    get(target, name) {
      if (name !== '$queryRaw') return target[name as keyof typeof target];
      return async (...query: Parameters<typeof db.$queryRaw>) => {
        const rows = await (target.$queryRaw as (...given: typeof query) => Promise<object[]>)(...query);
        if (rows[0] && 'now_ms' in rows[0]) counts.refreshes += 1;
        else counts.rows += rows.length;
        counts.largest = Math.max(counts.largest, rows.length);
        return rows;
      };
    },
  });
  return { db: counting, counts };
}

async function addReaders(org: ScanOrganization, count: number, antennas: number): Promise<number[]> {
  const rows = await world.db.$queryRaw<{ id: number }[]>`
    INSERT INTO readers (org_id, name, format, mqtt_username, secret_hash, publish_topic, updated_at)
    SELECT ${org.orgId}::int, 'r', 'native', ${`many-${org.orgId}-`} || n, 'x', 't', now() - interval '1 hour'
      FROM generate_series(1, ${count}::int) n
    RETURNING id`;
  const ids = rows.map(({ id }) => id);
  await world.db.$executeRaw`
    INSERT INTO reader_antennas (org_id, reader_id, port, kind)
    SELECT ${org.orgId}::int, id, port, 'portal'
      FROM unnest(${ids}::int[]) id, generate_series(0, ${antennas}::int - 1) port`;
  return ids;
}

async function refreshed(counts: { refreshes: number }, times = 1): Promise<void> {
  const target = counts.refreshes + times;
  await vi.waitUntil(() => counts.refreshes >= target, { timeout: 30_000 });
}

it.concurrent('is read in pieces, and afterwards what has changed of them alone', async ({ expect }) => {
  const org = await world.organization();
  const ids = await addReaders(org, 100, 64);
  await world.db.$executeRaw`
    INSERT INTO antenna_levels (org_id, reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
    SELECT ${org.orgId}::int, id, port, -50, 2, 1000, 9
      FROM unnest(${ids}::int[]) id, generate_series(0, 63) port`;
  const { db, counts } = counted(world.db);
  await using locating = disposable(createLocatingKnowledge({ db, log: world.log }));
  await locating.prepare([org.orgId]);
  const [first = 0] = ids;
  const last = ids.at(-1) ?? 0;
  const { level } = locating.knowledge.surroundings(locating.antennaSettings);
  for (const key of [antennaKey(first, 0), antennaKey(first, 63), antennaKey(last, 63)]) {
    expect(locating.antennaSettings(key)?.kind).toBe('portal');
    expect(level(key)?.meanDbm).toBe(-50);
  }
  expect(locating.antennaSettings(antennaKey(last, 64))?.kind).toBe('zone');
  expect(counts.rows).toBeGreaterThan(2 * 6400);
  expect(counts.largest).toBeLessThanOrEqual(2000);

  counts.rows = 0;
  await refreshed(counts, 2);
  expect(counts.rows).toBe(0);

  await org.admin.readers.update({ id: first, antennas: [{ port: 1, kind: 'zone' }] });
  await expect.poll(() => locating.antennaSettings(antennaKey(first, 1))?.kind).toBe('zone');
  await refreshed(counts, 2);
  // The reader and its antenna once, and that it was changed in each refresh.
  expect(counts.rows).toBeLessThan(20);
});

it.concurrent('follows deleted locations, new readers and deleted ones', async ({ expect }) => {
  const org = await world.organization();
  const [shelf, hall] = [await org.location(), await org.location()];
  const reader = await org.reader({ location_id: hall, antennas: [{ port: 1, location_id: shelf }] });
  await using locating = disposable(createLocatingKnowledge(world));
  await locating.prepare([org.orgId]);
  const locationOf = (id: number, port: number) => locating.antennaSettings(antennaKey(id, port))?.location;
  expect([locationOf(reader.id, 1), locationOf(reader.id, 2)]).toEqual([shelf, hall]);

  await org.admin.locations.delete({ location_id: shelf });
  await expect.poll(() => locationOf(reader.id, 1)).toBe(hall);
  await org.admin.locations.delete({ location_id: hall });
  await expect.poll(() => [locationOf(reader.id, 1), locationOf(reader.id, 2)]).toEqual([0, 0]);

  const later = await org.reader();
  await expect.poll(() => locationOf(later.id, 1)).toBe(0);
  await org.admin.readers.delete({ id: later.id });
  await expect.poll(() => locationOf(later.id, 1)).toBeUndefined();
});

it.concurrent('follows what another process learns of its readers', async ({ expect }) => {
  const org = await world.organization();
  const here = await org.location();
  const reader = await org.reader({ location_id: here });
  const { db, counts } = counted(world.db);
  await using locating = disposable(createLocatingKnowledge({ db, log: world.log }));
  await locating.prepare([org.orgId]);
  const { level, signature, reportedUntilMs } = locating.knowledge.surroundings(locating.antennaSettings);
  const key = antennaKey(reader.id, 1);
  async function learnElsewhere(reads: number): Promise<void> {
    await world.db.$executeRaw`
      INSERT INTO antenna_levels (org_id, reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
      VALUES (${org.orgId}, ${reader.id}, 1, ${-40 - reads}, 2, 1000, ${reads})
      ON CONFLICT (reader_id, antenna) DO UPDATE
         SET reads = EXCLUDED.reads, mean_dbm = EXCLUDED.mean_dbm, updated_at = EXCLUDED.updated_at`;
    await world.db.reader.update({ where: { id: reader.id }, data: { lastMessageAt: new Date() } });
  }
  await learnElsewhere(1);
  await expect.poll(() => level(key)?.meanDbm).toBe(-41);
  await learnElsewhere(2);
  await expect.poll(() => level(key)?.meanDbm).toBe(-42);
  expect(reportedUntilMs(key)).toBeGreaterThan(0);

  await world.db.$executeRaw`
    INSERT INTO location_signatures (org_id, location_id, reader_id, antenna, reads, mean_dbm, variance)
    VALUES (${org.orgId}, ${here}, ${reader.id}, 1, 5, -60, 4)`;
  await expect.poll(() => signature(here, key)?.meanDbm).toBe(-60);
  await org.admin.locations.resetSignatures({ location_id: here });
  await expect.poll(() => signature(here, key)).toBeUndefined();

  // What this process receives from a reader it learns itself.
  locating.received([reader.id]);
  await learnElsewhere(3);
  await refreshed(counts, 2);
  expect(level(key)?.meanDbm).toBe(-42);
});

it.concurrent('is limited for all readers of an organization together', async ({ expect }) => {
  const org = await world.organization();
  const [first = 0, second = 0] = await addReaders(org, 2, antennasPerOrganizationMax / 2 - 1);
  const antennas = (count: number) => Array.from({ length: count }, (_, port) => ({ port }));
  await expect(org.reader({ antennas: antennas(3) })).rejects.toThrow('100000 antennas');
  const third = await org.reader({ antennas: antennas(2) });
  await expect(org.admin.readers.update({ id: third.id, antennas: antennas(3) })).rejects.toThrow('100000 antennas');
  await org.admin.readers.update({ id: third.id, antennas: antennas(1) });
  await org.admin.readers.update({ id: first, antennas: antennas(256) });
  await org.admin.readers.update({ id: third.id, antennas: antennas(3) });
  await org.admin.readers.delete({ id: second });
});

function disposable(locating: LocatingKnowledge): LocatingKnowledge & AsyncDisposable {
  return { ...locating, [Symbol.asyncDispose]: () => locating.stop() };
}
