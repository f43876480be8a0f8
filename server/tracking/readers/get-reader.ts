import { sessionProcedure } from '../../trpc.js';
import type { Queries } from '../../kernel/database/client.js';
import { readerNotFound } from './not-found.js';
import { type ReaderState, readerState } from './overview.js';
import { locationNames, readerOverview } from './overview-queries.js';
import { findReader } from './queries.js';
import { readerIdInput } from './schemas.js';
import { type ReaderView, readerView } from './view.js';

/** A reader with its settings and its status. */
export type ReaderDetail = ReaderView &
  ReaderState & {
    /** The live locations of the reader and its antennas, with names. */
    locations: { id: number; name: string }[];
    /** The learned levels of its antennas, by port; also of ports without settings. */
    antenna_levels: AntennaLevelRow[];
  };

/** Returns one reader with all its settings. */
export const getReader = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<ReaderDetail> => {
    const { db } = ctx.services;
    const [row, overview, levels] = await Promise.all([
      findReader(db, ctx.orgId, id),
      readerOverview(db, ctx.orgId, { filter: { readerId: id }, paging: { limit: 1, offset: 0 } }),
      listAntennaLevels(db, ctx.orgId, id),
    ]);
    const [state] = overview.rows;
    if (!row || !state) throw readerNotFound();
    const ids = [row.location_id, ...row.antennas.map(({ location_id }) => location_id)].filter((at) => at !== null);
    const locations = await locationNames(db, ctx.orgId, ids);
    return { ...readerState(state, overview.minuteAgeMs), ...readerView(row), locations, antenna_levels: levels };
  });

/** How strongly an antenna reads the assets at its own location; learned from reads. */
type AntennaLevelRow = {
  antenna: number;
  mean_dbm: number;
  /** The number of reads it was learned from; older ones count less. */
  reads: number;
  /** Typical time between two reads of a tag that does not move, in milliseconds. */
  gap_ms: number;
};

/** Returns the learned levels of a reader's antennas, by port. Antennas without enough reads are missing. */
async function listAntennaLevels(db: Queries, orgId: number, readerId: number): Promise<AntennaLevelRow[]> {
  return db.$queryRaw<AntennaLevelRow[]>`
    SELECT antenna, round(mean_dbm::numeric, 1)::float8 AS mean_dbm, reads::float8 AS reads, gap_ms::float8 AS gap_ms
      FROM antenna_levels
     WHERE org_id = ${orgId} AND reader_id = ${readerId}
     ORDER BY antenna`;
}
