import { sessionProcedure } from '../../trpc.js';
import type { Queries } from '../../kernel/database/client.js';
import { readerNotFound } from './not-found.js';
import { byMinute, readerOverview, type ReaderState, readerState } from './overview.js';
import { findReader, locationNames } from './queries.js';
import { readerIdInput } from './schemas.js';
import { type ReaderView, readerView } from './view.js';

/** A reader with its settings and its status. */
export type ReaderDetail = ReaderView &
  ReaderState & {
    /** The live locations of the reader and its antennas, with names. */
    locations: { id: number; name: string }[];
    /** The ports of antennas that have read assets during visits; also ports without settings. */
    heard_ports: number[];
    /** Messages that could not be parsed in each of the last 60 minutes, the present minute last. */
    rejected_by_minute: number[];
  };

/** Returns one reader with all its settings. */
export const getReader = sessionProcedure('admin')
  .input(readerIdInput)
  .query(async ({ ctx, input: { id } }): Promise<ReaderDetail> => {
    const { db } = ctx.services;
    const [row, overview, ports] = await Promise.all([
      findReader(db, ctx.orgId, id),
      readerOverview(db, ctx.orgId, { filter: { readerId: id }, paging: { limit: 1, offset: 0 } }),
      listHeardPorts(db, ctx.orgId, id),
    ]);
    const [state] = overview.rows;
    if (!row || !state) throw readerNotFound();
    const ids = [row.location_id, ...row.antennas.map(({ location_id }) => location_id)].filter((at) => at !== null);
    const locations = await locationNames(db, ctx.orgId, ids);
    return {
      ...readerState(state, overview.minuteAgeMs),
      ...readerView(row),
      locations,
      heard_ports: ports,
      rejected_by_minute: byMinute((age) => state.counts_by_age[age]?.[1] ?? 0),
    };
  });

/** Returns the ports of a reader that the pictures of locations know. */
async function listHeardPorts(db: Queries, orgId: number, readerId: number): Promise<number[]> {
  const rows = await db.$queryRaw<{ port: number }[]>`
    SELECT DISTINCT a.port
      FROM location_pictures p
     CROSS JOIN jsonb_to_recordset(p.antennas) AS a (reader int, port int)
     WHERE p.org_id = ${orgId} AND a.reader = ${readerId}
     ORDER BY a.port`;
  return rows.map(({ port }) => port);
}
