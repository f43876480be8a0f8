import { numbers } from '../database/array-literals.js';
import type { Database } from '../database/client.js';
import { epochMs } from '../database/columns.js';
import type { LevelRow, SignatureRow } from '../locating/index.js';
import type { AntennaSettings } from '../locating/types.js';

const portsMax = 65_536;

export type KnownAntenna = AntennaSettings & { readerId: number; port: number };

/** The stored readers of one organization, and what was learned about them. */
export type StoredKnowledge = {
  readers: { id: number; lastMessageMs: number | null; defaults: AntennaSettings }[];
  antennas: KnownAntenna[];
  levels: LevelRow[];
  signatures: SignatureRow[];
};

type ReaderRow = { id: number; last_message_at: number | null; location_rule: string; location_id: number };
type AntennaRow = { reader_id: number; port: number; kind: string; location_rule: string; location_id: number };
type LevelColumns = {
  reader_id: number;
  antenna: number;
  mean_dbm: number;
  flicker_db: number;
  gap_ms: number;
  reads: number;
};
type SignatureColumns = {
  location_id: number;
  reader_id: number;
  antenna: number;
  reads: number;
  mean_dbm: number;
  variance: number;
};

export async function readStoredKnowledge(db: Pick<Database, '$queryRaw'>, orgId: number): Promise<StoredKnowledge> {
  const [readers, antennas, levels, signatures] = await Promise.all([
    db.$queryRaw<ReaderRow[]>`
      SELECT r.id, ${epochMs('r.last_message_at')} AS last_message_at, r.location_rule, coalesce(l.id, 0) AS location_id
        FROM readers r
        LEFT JOIN locations l ON l.org_id = r.org_id AND l.id = r.location_id AND l.deleted_at IS NULL
       WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL`,
    db.$queryRaw<AntennaRow[]>`
      SELECT a.reader_id, a.port, a.kind, r.location_rule, coalesce(al.id, rl.id, 0) AS location_id
        FROM readers r
        JOIN reader_antennas a ON a.reader_id = r.id
        LEFT JOIN locations al ON al.org_id = r.org_id AND al.id = a.location_id AND al.deleted_at IS NULL
        LEFT JOIN locations rl ON rl.org_id = r.org_id AND rl.id = r.location_id AND rl.deleted_at IS NULL
       WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL`,
    db.$queryRaw<LevelColumns[]>`
      SELECT reader_id, antenna, mean_dbm::float8 AS mean_dbm, flicker_db::float8 AS flicker_db, gap_ms::float8 AS gap_ms,
             reads::float8 AS reads
        FROM antenna_levels
       WHERE org_id = ${orgId}`,
    db.$queryRaw<SignatureColumns[]>`
      SELECT location_id, reader_id, antenna, reads::float8 AS reads, mean_dbm::float8 AS mean_dbm, variance::float8 AS variance
        FROM location_signatures
       WHERE org_id = ${orgId}`,
  ]);
  const ruleOf = (rule: string) => (rule === 'newest' ? 'newest' : 'evidence');
  return {
    readers: readers.map((row) => ({
      id: row.id,
      lastMessageMs: row.last_message_at,
      defaults: { location: row.location_id, kind: 'zone', rule: ruleOf(row.location_rule) },
    })),
    antennas: antennas.map((row) => ({
      readerId: row.reader_id,
      port: row.port,
      location: row.location_id,
      kind: row.kind === 'portal' ? 'portal' : 'zone',
      rule: ruleOf(row.location_rule),
    })),
    levels: levels.map((row) => ({
      antenna: row.reader_id * portsMax + row.antenna,
      meanDbm: row.mean_dbm,
      flickerDb: row.flicker_db,
      gapMs: row.gap_ms,
      reads: row.reads,
    })),
    signatures: signatures.map((row) => ({
      location: row.location_id,
      antenna: row.reader_id * portsMax + row.antenna,
      reads: row.reads,
      meanDbm: row.mean_dbm,
      variance: row.variance,
    })),
  };
}

/** Stores levels, except those of readers that no longer exist. */
export async function saveLevels(db: Pick<Database, '$executeRaw'>, rows: readonly LevelRow[]): Promise<void> {
  const of = (value: (row: LevelRow) => number) => numbers(rows.map(value));
  await db.$executeRaw`
    INSERT INTO antenna_levels AS l (org_id, reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
    SELECT r.org_id, r.id, c.antenna, c.mean_dbm, c.flicker_db, c.gap_ms, c.reads
      FROM unnest(${of(({ antenna }) => Math.floor(antenna / portsMax))}::int[], ${of(({ antenna }) => antenna % portsMax)}::int[],
                  ${of(({ meanDbm }) => meanDbm)}::real[], ${of(({ flickerDb }) => flickerDb)}::real[],
                  ${of(({ gapMs }) => gapMs)}::real[], ${of(({ reads }) => reads)}::real[])
           AS c (reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
      JOIN readers r ON r.id = c.reader_id AND r.deleted_at IS NULL
     ORDER BY r.id, c.antenna
    ON CONFLICT (reader_id, antenna) DO UPDATE
       SET mean_dbm = EXCLUDED.mean_dbm, flicker_db = EXCLUDED.flicker_db, gap_ms = EXCLUDED.gap_ms, reads = EXCLUDED.reads,
           updated_at = EXCLUDED.updated_at`;
}

/**
 * Stores signatures, except those of readers or locations that no longer exist, and those of locations whose stored
 * signatures were all deleted meanwhile.
 *
 * @param isStored whether the process has seen a stored signature of a location
 */
export async function saveSignatures(
  db: Pick<Database, '$transaction'>,
  rows: readonly SignatureRow[],
  isStored: (location: number) => boolean,
): Promise<void> {
  const of = (value: (row: SignatureRow) => number) => numbers(rows.map(value));
  const locations = of(({ location }) => location);
  await db.$transaction(async (tx) => {
    // A deletion locks its location too, so the statement below sees its result.
    await tx.$executeRaw`
      SELECT 1 FROM locations WHERE id = ANY (${locations}::int[]) ORDER BY id FOR NO KEY UPDATE`;
    await tx.$executeRaw`
      INSERT INTO location_signatures AS s (org_id, location_id, reader_id, antenna, reads, mean_dbm, variance)
      SELECT r.org_id, l.id, r.id, c.antenna, c.reads, c.mean_dbm, c.variance
        FROM unnest(${locations}::int[], ${of(({ antenna }) => Math.floor(antenna / portsMax))}::int[],
                    ${of(({ antenna }) => antenna % portsMax)}::int[], ${of(({ reads }) => reads)}::real[],
                    ${of(({ meanDbm }) => meanDbm)}::real[], ${of(({ variance }) => variance)}::real[],
                    ${of(({ location }) => (isStored(location) ? 1 : 0))}::int[])
             AS c (location_id, reader_id, antenna, reads, mean_dbm, variance, was_stored)
        JOIN readers r ON r.id = c.reader_id AND r.deleted_at IS NULL
        JOIN locations l ON l.org_id = r.org_id AND l.id = c.location_id AND l.deleted_at IS NULL
       WHERE c.was_stored = 0
          OR EXISTS (SELECT 1 FROM location_signatures k WHERE k.org_id = l.org_id AND k.location_id = l.id)
       ORDER BY l.id, r.id, c.antenna
      ON CONFLICT (location_id, reader_id, antenna) DO UPDATE
         SET reads = EXCLUDED.reads, mean_dbm = EXCLUDED.mean_dbm, variance = EXCLUDED.variance,
             updated_at = EXCLUDED.updated_at`;
  });
}
