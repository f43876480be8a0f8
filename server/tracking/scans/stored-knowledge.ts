import { Prisma } from '../../../generated/prisma/client.js';
import { numbers } from '../../kernel/database/array-literals.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs, instant } from '../../kernel/database/columns.js';
import { antennaKey, type LevelRow, type SignatureRow } from '../../locating/index.js';
import type { AntennaSettings } from '../../locating/types.js';

/** Rows of one answer: reading and processing them takes a few milliseconds. */
const answerRowsMax = 2000;
/** Readers whose antennas are read at once, so that the database sorts few rows for each piece. */
export const readersAtOnceMax = 200;

/** A stored reader, without its antennas. */
export type StoredReader = {
  id: number;
  /** Differs whenever its settings, or locations of its antennas, may have changed. */
  version: string;
  lastMessageMs: number | null;
  defaults: AntennaSettings;
};

type Queryable = Pick<Database, '$queryRaw'>;

const ruleOf = (rule: string) => (rule === 'newest' ? 'newest' : 'evidence');

/** Returns the database's clock in epoch milliseconds. */
export async function readClock(db: Queryable): Promise<number> {
  const [row] = await db.$queryRaw<[{ now_ms: number }]>`
    SELECT round(date_part('epoch', clock_timestamp()) * 1000) AS now_ms`;
  return row.now_ms;
}

type ReaderRow = {
  id: number;
  version: string;
  last_message_at: number | null;
  location_rule: string;
  location_id: number;
};

/** Returns live readers of an organization in pieces: all, or those with the given ids. */
export async function* storedReaders(
  db: Queryable,
  orgId: number,
  ids?: readonly number[],
): AsyncGenerator<StoredReader[]> {
  const those = ids ? Prisma.sql`AND r.id = ANY (${numbers(ids)}::int[])` : Prisma.empty;
  const read = (afterId: number) => db.$queryRaw<ReaderRow[]>`
    SELECT r.id, concat_ws(' ', r.updated_at) AS version, ${epochMs('r.last_message_at')} AS last_message_at,
           r.location_rule, coalesce(l.id, 0) AS location_id
      FROM readers r
      LEFT JOIN locations l ON l.org_id = r.org_id AND l.id = r.location_id AND l.deleted_at IS NULL
     WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL AND r.id > ${afterId}::int ${those}
     ORDER BY r.id
     LIMIT ${readersAtOnceMax}::int`;
  for await (const rows of pieces((last: ReaderRow | undefined) => read(last?.id ?? 0), readersAtOnceMax)) {
    yield rows.map((row) => ({
      id: row.id,
      version: row.version,
      lastMessageMs: row.last_message_at,
      defaults: { location: row.location_id, kind: 'zone', rule: ruleOf(row.location_rule) },
    }));
  }
}

type ChangedRow = { org_id: number; id: number; is_deleted: boolean; version: string };

export type ChangedReader = { orgId: number; id: number; isDeleted: boolean; version: string };

/**
 * Returns the readers whose settings have changed, or of whose antennas a location was deleted, in pieces.
 *
 * @param sinceMs the database's clock, in epoch milliseconds
 */
export async function* changedReaders(
  db: Queryable,
  orgIds: readonly number[],
  sinceMs: number,
): AsyncGenerator<ChangedReader[]> {
  const read = (afterId: number) => db.$queryRaw<ChangedRow[]>`
    WITH gone AS MATERIALIZED (
      SELECT org_id, id, deleted_at FROM locations
       WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND deleted_at >= ${instant(sinceMs)}
    ), named AS (
      SELECT r.id, g.deleted_at FROM gone g JOIN readers r ON r.org_id = g.org_id AND r.location_id = g.id
       UNION ALL
      SELECT a.reader_id, g.deleted_at FROM gone g JOIN reader_antennas a ON a.org_id = g.org_id AND a.location_id = g.id
    ), concerned AS (
      SELECT id, count(*) AS times, max(deleted_at) AS newest FROM named GROUP BY id
    ), changed AS (
      SELECT id FROM readers WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND updated_at >= ${instant(sinceMs)}
       UNION
      SELECT id FROM concerned
    )
    SELECT r.org_id, r.id, r.deleted_at IS NOT NULL AS is_deleted, concat_ws(' ', r.updated_at, c.times, c.newest) AS version
      FROM changed
      JOIN readers r ON r.id = changed.id
      LEFT JOIN concerned c ON c.id = r.id
     WHERE r.id > ${afterId}::int
     ORDER BY r.id
     LIMIT ${answerRowsMax}::int`;
  for await (const rows of pieces((last: ChangedRow | undefined) => read(last?.id ?? 0))) {
    yield rows.map((row) => ({ orgId: row.org_id, id: row.id, isDeleted: row.is_deleted, version: row.version }));
  }
}

type AntennaRow = { reader_id: number; port: number; kind: string; location_rule: string; location_id: number };

/** Returns the settings of the antennas of readers, by reader and port. */
export async function storedAntennas(
  db: Queryable,
  orgId: number,
  readerIds: readonly number[],
): Promise<Map<number, Map<number, AntennaSettings>>> {
  const read = (last: AntennaRow | undefined) => db.$queryRaw<AntennaRow[]>`
    SELECT a.reader_id, a.port, a.kind, r.location_rule, coalesce(al.id, rl.id, 0) AS location_id
      FROM readers r
      JOIN reader_antennas a ON a.reader_id = r.id
      LEFT JOIN locations al ON al.org_id = r.org_id AND al.id = a.location_id AND al.deleted_at IS NULL
      LEFT JOIN locations rl ON rl.org_id = r.org_id AND rl.id = r.location_id AND rl.deleted_at IS NULL
     WHERE r.org_id = ${orgId} AND r.id = ANY (${rest(readerIds, last)}::int[])
       AND (a.reader_id, a.port) > (${last?.reader_id ?? 0}::int, ${last?.port ?? 0}::int)
     ORDER BY a.reader_id, a.port
     LIMIT ${answerRowsMax}::int`;
  const antennas = new Map<number, Map<number, AntennaSettings>>();
  for await (const rows of pieces(read)) {
    for (const row of rows) {
      const ports = antennas.get(row.reader_id) ?? new Map<number, AntennaSettings>();
      antennas.set(row.reader_id, ports);
      const kind = row.kind === 'portal' ? 'portal' : 'zone';
      ports.set(row.port, { location: row.location_id, kind, rule: ruleOf(row.location_rule) });
    }
  }
  return antennas;
}

type LevelColumns = {
  reader_id: number;
  antenna: number;
  mean_dbm: number;
  flicker_db: number;
  gap_ms: number;
  reads: number;
};

/** Returns the levels of the antennas of readers, in pieces: all, or those that were stored since an instant. */
export async function* storedLevels(
  db: Queryable,
  orgId: number,
  { readerIds, sinceMs }: { readerIds: readonly number[]; sinceMs: number | undefined },
): AsyncGenerator<LevelRow[]> {
  const since = sinceMs === undefined ? Prisma.empty : Prisma.sql`AND updated_at >= ${instant(sinceMs)}`;
  const read = (last: LevelColumns | undefined) => db.$queryRaw<LevelColumns[]>`
    SELECT reader_id, antenna, mean_dbm::float8 AS mean_dbm, flicker_db::float8 AS flicker_db, gap_ms::float8 AS gap_ms,
           reads::float8 AS reads
      FROM antenna_levels
     WHERE org_id = ${orgId} AND reader_id = ANY (${rest(readerIds, last)}::int[])
       AND (reader_id, antenna) > (${last?.reader_id ?? 0}::int, ${last?.antenna ?? 0}::int) ${since}
     ORDER BY reader_id, antenna
     LIMIT ${answerRowsMax}::int`;
  for await (const rows of pieces(read)) {
    yield rows.map((row) => ({
      antenna: antennaKey(row.reader_id, row.antenna),
      meanDbm: row.mean_dbm,
      flickerDb: row.flicker_db,
      gapMs: row.gap_ms,
      reads: row.reads,
    }));
  }
}

type ReportRow = { org_id: number; id: number; last_message_at: number };

export type ReaderReport = { orgId: number; id: number; lastMessageMs: number };

/** Returns the readers that sent a message since an instant, in pieces. */
export async function* readerReports(
  db: Queryable,
  orgIds: readonly number[],
  sinceMs: number,
): AsyncGenerator<ReaderReport[]> {
  const read = (afterId: number) => db.$queryRaw<ReportRow[]>`
    SELECT org_id, id, ${epochMs('last_message_at')} AS last_message_at
      FROM readers
     WHERE org_id = ANY (${numbers(orgIds)}::int[]) AND deleted_at IS NULL AND last_message_at >= ${instant(sinceMs)}
       AND id > ${afterId}::int
     ORDER BY id
     LIMIT ${answerRowsMax}::int`;
  for await (const rows of pieces((last: ReportRow | undefined) => read(last?.id ?? 0))) {
    yield rows.map((row) => ({ orgId: row.org_id, id: row.id, lastMessageMs: row.last_message_at }));
  }
}

/** Returns a digest of the live locations with stored signatures, for each organization that has any. */
export async function signatureDigests(db: Queryable, orgIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await db.$queryRaw<{ org_id: number; digest: string }[]>`
    SELECT s.org_id, md5(string_agg(s.location_id::text, ' ' ORDER BY s.location_id)) AS digest
      FROM (SELECT DISTINCT org_id, location_id FROM location_signatures WHERE org_id = ANY (${numbers(orgIds)}::int[])) s
      JOIN locations l ON l.org_id = s.org_id AND l.id = s.location_id AND l.deleted_at IS NULL
     GROUP BY s.org_id`;
  return new Map(rows.map((row) => [row.org_id, row.digest]));
}

/** Returns the live locations of an organization with stored signatures, in pieces. */
export async function* signatureLocations(db: Queryable, orgId: number): AsyncGenerator<number[]> {
  const read = (afterId: number) => db.$queryRaw<{ location_id: number }[]>`
    SELECT s.location_id
      FROM (SELECT DISTINCT location_id FROM location_signatures
             WHERE org_id = ${orgId} AND location_id > ${afterId}::int) s
      JOIN locations l ON l.org_id = ${orgId} AND l.id = s.location_id AND l.deleted_at IS NULL
     ORDER BY s.location_id
     LIMIT ${answerRowsMax}::int`;
  for await (const rows of pieces((last: { location_id: number } | undefined) => read(last?.location_id ?? 0))) {
    yield rows.map((row) => row.location_id);
  }
}

type SignatureColumns = {
  location_id: number;
  reader_id: number;
  antenna: number;
  reads: number;
  mean_dbm: number;
  variance: number;
};

/** Returns the signatures of locations, without signatures of deleted readers. */
export async function storedSignatures(
  db: Queryable,
  orgId: number,
  locations: readonly number[],
): Promise<SignatureRow[]> {
  const rows = await db.$queryRaw<SignatureColumns[]>`
    SELECT s.location_id, s.reader_id, s.antenna, s.reads::float8 AS reads, s.mean_dbm::float8 AS mean_dbm,
           s.variance::float8 AS variance
      FROM location_signatures s
      JOIN readers r ON r.org_id = s.org_id AND r.id = s.reader_id AND r.deleted_at IS NULL
     WHERE s.org_id = ${orgId} AND s.location_id = ANY (${numbers(locations)}::int[])
     ORDER BY s.location_id, s.reader_id, s.antenna`;
  return rows.map((row) => ({
    location: row.location_id,
    antenna: antennaKey(row.reader_id, row.antenna),
    reads: row.reads,
    meanDbm: row.mean_dbm,
    variance: row.variance,
  }));
}

/** Reads rows in the order of a key until there are no more; `read` gets the last row of the previous piece. */
async function* pieces<Row>(
  read: (last: Row | undefined) => Promise<Row[]>,
  rowsMax: number = answerRowsMax,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length === rowsMax ? rows.at(-1) : undefined;
  } while (last !== undefined);
}

/** Returns the readers that may have rows behind the last one. */
function rest(readerIds: readonly number[], last: { reader_id: number } | undefined): string {
  return numbers(last ? readerIds.filter((id) => id >= last.reader_id) : readerIds);
}

/** Returns the ids of readers by their organization. */
export function byOrganization(readers: readonly { orgId: number; id: number }[]): Map<number, number[]> {
  const ids = new Map<number, number[]>();
  for (const { orgId, id } of readers) {
    const own = ids.get(orgId);
    if (own) own.push(id);
    else ids.set(orgId, [id]);
  }
  return ids;
}
