import type { Database } from '../../kernel/database/client.js';

/** How strongly an antenna reads the assets at its own location; learned from reads. */
export type AntennaLevelRow = {
  antenna: number;
  mean_dbm: number;
  /** The number of reads it was learned from; older ones count less. */
  reads: number;
  /** Typical time between two reads of a tag that does not move, in milliseconds. */
  gap_ms: number;
};

/** Returns the learned levels of a reader's antennas, by port. Antennas without enough reads are missing. */
export async function listAntennaLevels(
  db: Pick<Database, '$queryRaw'>,
  orgId: number,
  readerId: number,
): Promise<AntennaLevelRow[]> {
  return db.$queryRaw<AntennaLevelRow[]>`
    SELECT antenna, round(mean_dbm::numeric, 1)::float8 AS mean_dbm, reads::float8 AS reads, gap_ms::float8 AS gap_ms
      FROM antenna_levels
     WHERE org_id = ${orgId} AND reader_id = ${readerId}
     ORDER BY antenna`;
}
