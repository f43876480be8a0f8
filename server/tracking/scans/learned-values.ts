import { Prisma } from '../../../generated/prisma/client.js';
import { numbers } from '../../kernel/database/array-literals.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import {
  antennaKey,
  type Knowledge,
  type LevelRow,
  portOf,
  readerOf,
  type SignatureRow,
} from '../../locating/index.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** Readers and locations whose values are read at once, at most 2,000 rows: reading and processing them takes a few milliseconds. */
const readersMax = 30;
const locationsMax = 50;
/** Rows that one statement stores. */
const rowsMax = 2000;

/**
 * Creates the storage of learned values of antennas and locations.
 *
 * @param orgIdsInUse the organizations in memory
 */
export function createLearnedValues(db: Database, knowledge: Knowledge, orgIdsInUse: () => number[]) {
  /** When locations were last reset or deleted, and from which instant on resets are read. */
  const resets = new Map<number, number>();
  /** Locations that were reset or deleted while possibly older rows are being stored. */
  const resetWhileSaving = new Set<number>();
  let resetsSinceMs: number | undefined;
  let lastSave = Promise.resolve();

  /** Restores the levels of readers: all levels, or the levels that were stored since an instant. */
  async function loadLevels(orgId: number, readerIds: readonly number[], sinceMs = 0): Promise<void> {
    for (let first = 0; first < readerIds.length; first += readersMax) {
      const levels = await storedLevels(db, orgId, { readerIds: readerIds.slice(first, first + readersMax), sinceMs });
      knowledge.restore({ levels, signatures: [] });
    }
  }

  /**
   * Restores the signatures of locations about which this process has learned nothing: of all such locations, or of
   * those with a signature that was stored since an instant.
   */
  async function loadSignatures(orgId: number, sinceMs = 0): Promise<void> {
    let after: number | undefined = 0;
    while (after !== undefined) {
      const signatures: SignatureRow[] = await storedSignatures(db, orgId, { after, sinceMs });
      knowledge.restore({ levels: [], signatures });
      after = signatures.at(-1)?.location;
    }
  }

  /** Forgets locations that people have reset or deleted since an instant. Each reset is applied once. */
  async function forgetResets(on: Queryable, sinceMs: number | undefined): Promise<void> {
    for (const { location_id: location, reset_ms: resetMs } of await storedResets(on, orgIdsInUse(), sinceMs)) {
      if ((resets.get(location) ?? 0) >= resetMs) continue;
      resets.set(location, resetMs);
      knowledge.forgetLocation(location, resetMs);
      resetWhileSaving.add(location);
    }
    for (const [location, resetMs] of resets) if (resetMs < (sinceMs ?? 0)) resets.delete(location);
    resetsSinceMs = sinceMs;
  }

  async function saveChanges(): Promise<void> {
    resetWhileSaving.clear();
    const changes = knowledge.takeChanges();
    try {
      for (const rows of pieces(changes.levels)) await saveLevels(db, rows);
      for (const rows of pieces(changes.signatures)) {
        await db.$transaction(async (tx) => {
          // A reset locks its location too, so that no process stores values after the reset that it learned before.
          await tx.$executeRaw`
            SELECT 1 FROM locations WHERE id = ANY (${numbers(rows.map(({ location }) => location))}::int[]) ORDER BY id FOR NO KEY UPDATE`;
          await forgetResets(tx, resetsSinceMs);
          await saveSignatures(
            tx,
            rows.filter(({ location }) => !resetWhileSaving.has(location)),
          );
        });
      }
    } catch (error) {
      knowledge.keepChanges(changes);
      throw error;
    }
  }

  return {
    loadLevels,
    loadSignatures,
    forgetResets,
    /**
     * Stores what was learned since the last call. Calls run one after another, so when a call resolves, everything
     * learned before it is stored. If storing fails, the next call tries again.
     */
    save(): Promise<void> {
      const saved = lastSave.then(saveChanges);
      lastSave = saved.catch(() => {});
      return saved;
    },
  };
}

type LevelColumns = {
  reader_id: number;
  antenna: number;
  mean_dbm: number;
  flicker_db: number;
  gap_ms: number;
  reads: number;
};

async function storedLevels(
  db: Queryable,
  orgId: number,
  { readerIds, sinceMs }: { readerIds: readonly number[]; sinceMs: number },
): Promise<LevelRow[]> {
  const rows = await db.$queryRaw<LevelColumns[]>`
    SELECT reader_id, antenna, mean_dbm::float8 AS mean_dbm, flicker_db::float8 AS flicker_db, gap_ms::float8 AS gap_ms,
           reads::float8 AS reads
      FROM antenna_levels
     WHERE org_id = ${orgId} AND reader_id = ANY (${numbers(readerIds)}::int[]) AND updated_at >= ${instant(sinceMs)}`;
  return rows.map((row) => ({
    antenna: antennaKey(row.reader_id, row.antenna),
    meanDbm: row.mean_dbm,
    flickerDb: row.flicker_db,
    gapMs: row.gap_ms,
    reads: row.reads,
  }));
}

type SignatureColumns = {
  location_id: number;
  reader_id: number;
  antenna: number;
  reads: number;
  mean_dbm: number;
  variance: number;
  labels: number;
};

/** Returns the signatures of the next locations with signatures since an instant, in the order of the locations. */
async function storedSignatures(
  db: Queryable,
  orgId: number,
  { after, sinceMs }: { after: number; sinceMs: number },
): Promise<SignatureRow[]> {
  const rows = await db.$queryRaw<SignatureColumns[]>`
    SELECT s.location_id, s.reader_id, s.antenna, s.reads::float8 AS reads, s.mean_dbm::float8 AS mean_dbm,
           s.variance::float8 AS variance, s.labels
      FROM (SELECT DISTINCT c.location_id
              FROM location_signatures c
              JOIN locations l ON l.org_id = c.org_id AND l.id = c.location_id AND l.deleted_at IS NULL
              JOIN readers r ON r.org_id = c.org_id AND r.id = c.reader_id AND r.deleted_at IS NULL
             WHERE c.org_id = ${orgId} AND c.location_id > ${after}::int AND c.updated_at >= ${instant(sinceMs)}
             ORDER BY c.location_id
             LIMIT ${locationsMax}::int) n
      JOIN location_signatures s ON s.org_id = ${orgId} AND s.location_id = n.location_id
      JOIN readers r ON r.org_id = s.org_id AND r.id = s.reader_id AND r.deleted_at IS NULL
     ORDER BY s.location_id, s.reader_id, s.antenna`;
  return rows.map((row) => ({
    location: row.location_id,
    antenna: antennaKey(row.reader_id, row.antenna),
    reads: row.reads,
    meanDbm: row.mean_dbm,
    variance: row.variance,
    labels: row.labels,
  }));
}

/**
 * Returns the locations that people have reset or deleted, each with the newest instant of this.
 *
 * @param sinceMs by default the longest time that a transaction takes
 */
async function storedResets(
  db: Queryable,
  orgIds: readonly number[],
  sinceMs: number | undefined,
): Promise<{ location_id: number; reset_ms: number }[]> {
  const since = sinceMs === undefined ? Prisma.sql`statement_timestamp() - interval '15 seconds'` : instant(sinceMs);
  return db.$queryRaw<{ location_id: number; reset_ms: number }[]>`
    SELECT location_id, ${epochMs('max(at)')} AS reset_ms
      FROM (SELECT object_id::int AS location_id, occurred_at AS at
              FROM activity_log
             WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND occurred_at >= ${since}
               AND kind = 'location' AND action = 'calibration_reset'
             UNION ALL
            SELECT id, deleted_at FROM locations
             WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND deleted_at >= ${since}) r
     GROUP BY location_id`;
}

function pieces<Row>(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsMax) }, (_, index) =>
    rows.slice(index * rowsMax, (index + 1) * rowsMax),
  );
}

/** Stores levels, except levels of readers that no longer exist. */
async function saveLevels(db: Pick<Database, '$executeRaw'>, rows: readonly LevelRow[]): Promise<void> {
  const of = (value: (row: LevelRow) => number) => numbers(rows.map(value));
  await db.$executeRaw`
    INSERT INTO antenna_levels AS l (org_id, reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
    SELECT r.org_id, r.id, c.antenna, c.mean_dbm, c.flicker_db, c.gap_ms, c.reads
      FROM unnest(${of(({ antenna }) => readerOf(antenna))}::int[], ${of(({ antenna }) => portOf(antenna))}::int[],
                  ${of(({ meanDbm }) => meanDbm)}::real[], ${of(({ flickerDb }) => flickerDb)}::real[],
                  ${of(({ gapMs }) => gapMs)}::real[], ${of(({ reads }) => reads)}::real[])
           AS c (reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
      JOIN readers r ON r.id = c.reader_id AND r.deleted_at IS NULL
     ORDER BY r.id, c.antenna
    ON CONFLICT (reader_id, antenna) DO UPDATE
       SET mean_dbm = EXCLUDED.mean_dbm, flicker_db = EXCLUDED.flicker_db, gap_ms = EXCLUDED.gap_ms, reads = EXCLUDED.reads,
           updated_at = EXCLUDED.updated_at`;
}

/** Stores signatures, except signatures of readers or locations that no longer exist. */
async function saveSignatures(db: Pick<Database, '$executeRaw'>, rows: readonly SignatureRow[]): Promise<void> {
  const of = (value: (row: SignatureRow) => number) => numbers(rows.map(value));
  await db.$executeRaw`
    INSERT INTO location_signatures AS s (org_id, location_id, reader_id, antenna, reads, mean_dbm, variance, labels)
    SELECT r.org_id, l.id, r.id, c.antenna, c.reads, c.mean_dbm, c.variance, c.labels
      FROM unnest(${of(({ location }) => location)}::int[], ${of(({ antenna }) => readerOf(antenna))}::int[],
                  ${of(({ antenna }) => portOf(antenna))}::int[], ${of(({ reads }) => reads)}::real[],
                  ${of(({ meanDbm }) => meanDbm)}::real[], ${of(({ variance }) => variance)}::real[],
                  ${of(({ labels }) => labels)}::int[])
           AS c (location_id, reader_id, antenna, reads, mean_dbm, variance, labels)
      JOIN readers r ON r.id = c.reader_id AND r.deleted_at IS NULL
      JOIN locations l ON l.org_id = r.org_id AND l.id = c.location_id AND l.deleted_at IS NULL
     ORDER BY l.id, r.id, c.antenna
    ON CONFLICT (location_id, reader_id, antenna) DO UPDATE
       SET reads = EXCLUDED.reads, mean_dbm = EXCLUDED.mean_dbm, variance = EXCLUDED.variance,
           labels = EXCLUDED.labels, updated_at = EXCLUDED.updated_at`;
}
