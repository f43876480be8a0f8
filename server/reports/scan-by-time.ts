import { Prisma } from '../../generated/prisma/client.js';
import { assetsNotShown } from '../database/counts.js';
import { firstPositions, notHidden, reachOf, unknownSlotMs } from '../database/position-order.js';
import { rangeAtOffset } from '../database/slot-counts.js';
import type { Paging } from '../lists.js';
import { assetOf, countListings, locationOf, type Page, pageColumns } from './page.js';

export type TimeScan = {
  /** Conditions on the assets `a`. */
  shown: Prisma.Sql;
  includeDeleted: boolean;
  descending: boolean;
  /** The whole order; `isPlain` if it is by time and then by nothing that can be equal. */
  order: Prisma.Sql;
  isPlain: boolean;
  paging: Paging;
  total: Prisma.Sql;
  /** How many positions to read beyond the page, as some of them are not shown. */
  margin: number;
};

/** From here on it costs less to find where a page begins than to read what it skips. */
const skippedMin = 300;

/** Scans for a page of the whole report by time. At a large offset it seeks the start. */
export function scanByTime(orgId: number, request: TimeScan): Page {
  const { paging, margin, descending, includeDeleted, shown, isPlain, order, total } = request;
  const { limit, offset } = paging;
  const start = offset < skippedMin ? undefined : seekStart(orgId, { ...request, offset });
  const skip = start ? Prisma.sql`(SELECT n FROM skipped)` : Prisma.sql`${offset}::bigint`;
  const reach = reachOf({ limit, skip, margin });
  const listings = [notHidden('s', includeDeleted), ...(start ? [start.condition] : [])];
  const first = firstPositions(orgId, { descending, reach, isCut: isPlain, listings, shown });
  const window = Prisma.sql`ORDER BY ${order} LIMIT ${limit} OFFSET ${skip}`;
  const source = isPlain
    ? Prisma.sql`(SELECT * FROM ${first.positions} ${window}) p ${assetOf(orgId, 'p')}`
    : Prisma.sql`${first.positions} ${assetOf(orgId, 'p')} ${locationOf('p')} ${window}`;
  const page = Prisma.sql`page AS MATERIALIZED (SELECT ${pageColumns} FROM ${source})`;
  const ctes = [...(start ? [start.ctes] : []), first.ctes, page];
  return { ctes: Prisma.join(ctes, ', '), total, isComplete: first.isComplete };
}

type Start = { descending: boolean; offset: number; includeDeleted: boolean };

/** So many listings before the offset show where those of its slot or its millisecond begin, unless there are more. */
const probed = 100;

/**
 * Returns where a page with a large offset begins: at the first listing that is not skipped, or another one of the same
 * millisecond. If the milliseconds of some listings of its slot are not known, the page begins where the slot does. Kept counts
 * lead to the range of slots that has the listing. `skipped` is what is left to skip from there.
 *
 * The index is passed once, from the beginning of the range. Of the last listings that are passed, those where the page begins
 * are counted, so the others come before it. Only if all of them are there, the listings before it are counted. Listings of
 * hidden assets are in neither the counts nor the passed part of the index. The few assets that are outside their window, but
 * not marked so, are counted one by one.
 */
function seekStart(orgId: number, { descending, offset, includeDeleted }: Start) {
  const direction = Prisma.raw(descending ? 'DESC' : 'ASC');
  const reverse = Prisma.raw(descending ? 'ASC' : 'DESC');
  // Listings whose milliseconds are not known are the last of their slot in the index, as their number is the largest.
  const slotStart = descending ? unknownSlotMs : Prisma.raw('0::int2');
  const notBefore = Prisma.raw(descending ? '<=' : '>=');
  const start = Prisma.raw('((SELECT seen_slot FROM anchor), (SELECT slot_ms FROM anchor))');
  const passed = Prisma.sql`(s.seen_slot, s.slot_ms) ${Prisma.raw(descending ? '>' : '<')} ${start}`;
  const counted = Prisma.sql`s.org_id = ${orgId} AND ${notHidden('s', includeDeleted)}`;
  const inRange = Prisma.sql`${counted} AND s.seen_slot ${notBefore} (SELECT first_slot FROM reached)`;
  // What is to be passed from the beginning of the range.
  const left = Prisma.sql`(${offset}::int8 - (SELECT before FROM reached))`;
  const lastOfSlot = Prisma.sql`(
    SELECT s.slot_ms FROM position_listings s
     WHERE ${counted} AND s.seen_slot BETWEEN r.seen_slot AND r.seen_slot
     ORDER BY s.seen_slot DESC, s.slot_ms DESC
     LIMIT 1)`;
  const notFlagged = assetsNotShown(orgId, includeDeleted ? 'unflagged or deleted' : 'unflagged');
  return {
    ctes: Prisma.sql`
      ${rangeAtOffset(orgId, { descending, includeDeleted, offset })}, probe AS MATERIALIZED (
        SELECT s.seen_slot, s.slot_ms FROM position_listings s WHERE ${inRange}
         ORDER BY s.seen_slot ${direction}, s.slot_ms ${direction}
         LIMIT least(${left}, ${probed}) + 1 OFFSET greatest(${left} - ${probed}, 0)
      ), anchor AS MATERIALIZED (
        SELECT r.seen_slot, CASE WHEN ${lastOfSlot} = ${unknownSlotMs} THEN ${slotStart} ELSE r.slot_ms END AS slot_ms
          FROM (SELECT * FROM probe ORDER BY seen_slot ${reverse}, slot_ms ${reverse} LIMIT 1) r
         WHERE (SELECT count(*) FROM probe) > least(${left}, ${probed})
      ), probed AS MATERIALIZED (
        SELECT count(*) AS n FROM probe s WHERE NOT ${passed}
      ), skipped AS MATERIALIZED (
        SELECT CASE
                 WHEN NOT EXISTS (SELECT FROM anchor) THEN 0
                 WHEN ${left} <= ${probed} OR (SELECT n FROM probed) <= ${probed} THEN (SELECT n FROM probed) - 1
                 ELSE ${left} - (SELECT count(*) FROM position_listings s WHERE ${inRange} AND ${passed})
               END + ${countListings(orgId, notFlagged, passed)} AS n
      )`,
    condition: Prisma.sql`(s.seen_slot, s.slot_ms) ${notBefore} ${start}`,
  };
}
