import { numbers } from '../../kernel/database/array-literals.js';
import type { Database } from '../../kernel/database/client.js';
import { type Knowledge, type LevelRow, portOf, readerOf, type SignatureRow } from '../../locating/index.js';

/**
 * Creates the function that stores what was learned since its last call. Calls run one after another, so when one
 * resolves, everything learned before it is stored. What cannot be stored is stored by the next call.
 *
 * @param isStored whether the process has seen a stored signature of the location of a row
 */
export function createSaving(
  db: Database,
  knowledge: Knowledge,
  isStored: (row: SignatureRow) => boolean,
): () => Promise<void> {
  let last = Promise.resolve();

  async function saveChanges(): Promise<void> {
    const changes = knowledge.takeChanges();
    const stored = new Set(changes.signatures.filter(isStored).map(({ location }) => location));
    try {
      await saveLevels(db, changes.levels);
      await saveSignatures(db, changes.signatures, (location) => stored.has(location));
    } catch (error) {
      knowledge.keepChanges(changes);
      throw error;
    }
  }

  return () => {
    const saved = last.then(saveChanges);
    last = saved.catch(() => {});
    return saved;
  };
}

/** Rows of one statement. */
const rowsMax = 2000;

/** Stores levels, except levels of readers that no longer exist. */
async function saveLevels(db: Pick<Database, '$executeRaw'>, rows: readonly LevelRow[]): Promise<void> {
  for (let first = 0; first < rows.length; first += rowsMax) {
    await saveSomeLevels(db, rows.slice(first, first + rowsMax));
  }
}

async function saveSomeLevels(db: Pick<Database, '$executeRaw'>, rows: readonly LevelRow[]): Promise<void> {
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

/**
 * Stores signatures, except signatures of readers or locations that no longer exist, and of locations whose stored
 * signatures were all deleted meanwhile.
 *
 * @param isStored whether the process has seen a stored signature of a location
 */
async function saveSignatures(
  db: Pick<Database, '$transaction'>,
  rows: readonly SignatureRow[],
  isStored: (location: number) => boolean,
): Promise<void> {
  for (let first = 0; first < rows.length; first += rowsMax) {
    await saveSomeSignatures(db, rows.slice(first, first + rowsMax), isStored);
  }
}

async function saveSomeSignatures(
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
        FROM unnest(${locations}::int[], ${of(({ antenna }) => readerOf(antenna))}::int[],
                    ${of(({ antenna }) => portOf(antenna))}::int[], ${of(({ reads }) => reads)}::real[],
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
