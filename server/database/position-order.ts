import { Prisma } from '../../generated/prisma/client.js';
import { allOf } from '../lists.js';

// Positions change with every read and are only found by their key. Their listings (`position_listings`) have the
// indexes, and store the last sighting as a time slot of ten seconds. A query that needs the exact time selects the
// slots first, and then reads the positions of those.

/** Returns the time slot of an instant, as in `position_listings.seen_slot`. */
export function slotOf(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(date_part('epoch', ${at}) / 10)::int`;
}

/**
 * Returns a condition on the listings called `alias`: last seen before an instant, by the position of each. It is a
 * scalar subquery, as the planner may read the whole table for an EXISTS.
 */
export function positionSeenBefore(alias: string, at: Prisma.Sql): Prisma.Sql {
  const s = Prisma.raw(alias);
  return Prisma.sql`(
    SELECT x.asset_last_seen FROM asset_positions x WHERE x.org_id = ${s}.org_id AND x.asset_id = ${s}.asset_id) < ${at}`;
}

/**
 * Returns the same condition for the index of the slots. Positions are looked up only for the slot that contains the
 * instant.
 */
export function seenBefore(alias: string, at: Prisma.Sql): Prisma.Sql {
  const s = Prisma.raw(alias);
  return Prisma.sql`${s}.seen_slot <= ${slotOf(at)} AND (${s}.seen_slot < ${slotOf(at)} OR ${positionSeenBefore(alias, at)})`;
}

export type TimeOrder = {
  descending: boolean;
  /** How many positions to take from the start of the order, at least. */
  reach: Prisma.Sql;
  /**
   * Whether to take exactly that many. Otherwise whole slots are taken, for an order with further columns after the
   * time.
   */
  isCut: boolean;
  /** Conditions on the listings `s`, in addition to the organization. */
  listings?: readonly Prisma.Sql[] | undefined;
  /** Only positions that were last seen before this instant. */
  before?: Prisma.Sql | undefined;
  /** Conditions on the assets `a`. They are checked for the positions that were taken, and may drop some of them. */
  shown: Prisma.Sql;
};

/** The first positions in the order of `asset_last_seen`, then `asset_id`. */
export type FirstPositions = {
  /** Common table expressions, to be placed before any use of the others. */
  ctes: Prisma.Sql;
  /** A FROM item `p (asset_id, location_id, asset_last_seen)`. */
  positions: Prisma.Sql;
  /** Boolean: there are no positions after those that were taken. */
  isComplete: Prisma.Sql;
};

/**
 * Takes the first positions by time. The listings provide the assets of as many time slots as are needed, the last slot
 * as a whole. Their positions are read and sorted by the exact time, and then their assets are checked.
 *
 * Positions and assets are each read in one pass over a list of keys. That is fast for the fifty rows of a page and for
 * the 100,000 of a busy slot, for which separate lookups take four times as long. The plan is the same for both, since
 * the planner expects ten keys of any list. The last step is a subquery that cannot become a join, so that it is always
 * hashed.
 */
export function firstPositions(orgId: number, order: TimeOrder): FirstPositions {
  const { reach, isCut, listings = [], before, shown } = order;
  const direction = Prisma.raw(order.descending ? 'DESC' : 'ASC');
  const wanted = allOf([
    Prisma.sql`s.org_id = ${orgId}`,
    before && Prisma.sql`s.seen_slot <= ${slotOf(before)}`,
    ...listings,
  ]);
  const taken = allOf([
    Prisma.sql`r.org_id = ${orgId}`,
    Prisma.sql`r.asset_id = ANY((SELECT ids FROM candidate)::int[])`,
    before && Prisma.sql`r.asset_last_seen < ${before}`,
  ]);
  return {
    ctes: Prisma.sql`
      candidate AS MATERIALIZED (
        SELECT ARRAY(
          SELECT s.asset_id FROM position_listings s WHERE ${wanted}
           ORDER BY s.seen_slot ${direction}
           FETCH FIRST (${reach}) ROWS WITH TIES) AS ids
      ), taken AS MATERIALIZED (
        SELECT r.asset_id, r.location_id, r.asset_last_seen
          FROM asset_positions r
         WHERE ${taken}
         ORDER BY r.asset_last_seen ${direction}, r.asset_id
         ${isCut ? Prisma.sql`LIMIT ${reach}` : Prisma.empty}
      ), shown AS MATERIALIZED (
        SELECT a.id
          FROM assets a
         WHERE a.org_id = ${orgId} AND a.id = ANY(ARRAY(SELECT asset_id FROM taken)) AND ${shown}
      )`,
    positions: Prisma.sql`(SELECT t.* FROM taken t WHERE (t.asset_id IN (SELECT id FROM shown)) IS TRUE) p`,
    isComplete: Prisma.sql`(SELECT cardinality(ids) < ${reach} FROM candidate)`,
  };
}

/** How many positions to read beyond a page at first, if few assets are filtered out. */
export const marginMin = 16;

const marginGrowth = 8;

/** Returns how many positions to read for a page: a sixteenth more than it skips, as some of those are filtered out. */
export function reachOf({ limit, skip, margin }: { limit: number; skip: Prisma.Sql; margin: number }): Prisma.Sql {
  return Prisma.sql`(${skip} + ${skip} / 16 + ${limit + margin}::bigint)`;
}

/**
 * Reads a page whose rows are filtered after the first positions were chosen. If too few are left for the page, reads
 * it again with a margin eight times as large.
 *
 * @param read reads the page from as many positions as it needs without a filter, and a margin
 * @param isDone whether the page is full, or was made from all positions
 */
export async function readUntilDone<Page>(
  read: (margin: number) => Promise<Page>,
  isDone: (page: Page) => boolean,
  margin: number,
): Promise<Page> {
  const page = await read(margin);
  return isDone(page) ? page : readUntilDone(read, isDone, margin * marginGrowth);
}
