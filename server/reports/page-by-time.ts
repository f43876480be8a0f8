import { Prisma } from '../../generated/prisma/client.js';
import { assetsNotShown } from '../database/counts.js';
import { firstPositions, reachOf } from '../database/position-order.js';
import { rangeAtOffset } from '../database/slot-counts.js';
import type { Paging } from '../lists.js';
import { assetOf, countListings, locationOf, type Page, pageColumns } from './page.js';

export type TimePage = {
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

/** From this offset on, counting the skipped rows costs less than reading them. */
const skippedMin = 1000;

/** Returns a page of the whole report by time. */
export function pageByTime(orgId: number, request: TimePage): Page {
  const { paging, margin, descending, shown, isPlain, order, total } = request;
  const { limit, offset } = paging;
  const start = offset < skippedMin ? undefined : startAfter(orgId, { ...request, offset });
  const skip = start ? Prisma.sql`(SELECT n FROM skipped)` : Prisma.sql`${offset}::bigint`;
  const reach = reachOf({ limit, skip, margin });
  const listings = start && [start.condition];
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

/** This many listings before the offset contain the start of their slot, unless it is longer. */
const probed = skippedMin;

/**
 * Returns where a page with a large offset begins: at the time slot of the first listing that is not skipped. Kept
 * counts lead to its range of slots. Counts the few listings before the slot that are not shown; `skipped` is the rest
 * of the offset from there.
 *
 * The index is scanned once, from the beginning of the range. Of the last scanned listings, those of that slot are
 * counted, so the others come before it. Only if all of them are of that slot, the listings before it are counted.
 */
function startAfter(orgId: number, { descending, offset, includeDeleted }: Start) {
  const slot = Prisma.raw('(SELECT seen_slot FROM anchor)');
  const direction = Prisma.raw(descending ? 'DESC' : 'ASC');
  const furthest = Prisma.raw(descending ? 'min' : 'max');
  const before = Prisma.raw(descending ? '>' : '<');
  const notBefore = Prisma.raw(descending ? '<=' : '>=');
  const passed = Prisma.sql`s.seen_slot ${before} ${slot}`;
  const inRange = Prisma.sql`s.org_id = ${orgId} AND s.seen_slot ${notBefore} (SELECT first_slot FROM reached)`;
  // The rows to skip from the beginning of the range.
  const left = Prisma.sql`(${offset}::int8 - (SELECT before FROM reached))`;
  const notShown = assetsNotShown(orgId, includeDeleted ? 'outside' : 'all');
  return {
    ctes: Prisma.sql`
      ${rangeAtOffset(orgId, { descending, offset })}, probe AS MATERIALIZED (
        SELECT s.seen_slot FROM position_listings s WHERE ${inRange}
         ORDER BY s.seen_slot ${direction} LIMIT least(${left}, ${probed}) + 1 OFFSET greatest(${left} - ${probed}, 0)
      ), anchor AS MATERIALIZED (
        SELECT ${furthest}(seen_slot) AS seen_slot FROM probe HAVING count(*) > least(${left}, ${probed})
      ), probed AS MATERIALIZED (
        SELECT count(*) AS n FROM probe WHERE seen_slot = ${slot}
      ), skipped AS MATERIALIZED (
        SELECT CASE
                 WHEN ${slot} IS NULL THEN 0
                 WHEN ${left} <= ${probed} OR (SELECT n FROM probed) <= ${probed} THEN (SELECT n FROM probed) - 1
                 ELSE ${left} - (SELECT count(*) FROM position_listings s WHERE ${inRange} AND ${passed})
               END + ${countListings(orgId, notShown, passed)} AS n
      )`,
    condition: Prisma.sql`s.seen_slot ${notBefore} ${slot}`,
  };
}
