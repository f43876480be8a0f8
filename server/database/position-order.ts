import { Prisma } from '../../generated/prisma/client.js';
import { allOf } from '../lists.js';

// Positions change with every read and are only found by their key. Their listings (`position_listings`) have the indexes,
// and store the time at which an asset was last seen: as a slot of ten seconds, and as the milliseconds in that slot (`slot_ms`)
// where these are known. They are not known of an asset that is read again and again. A query that needs the exact time selects
// listings first, and then reads the positions of those.

/** What `slot_ms` is where it is not known; more than any slot has. */
export const unknownSlotMs = Prisma.raw('10000::int2');

/** Returns the time slot of an instant, as in `position_listings.seen_slot`. */
export function slotOf(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`floor(date_part('epoch', ${at}) / 10)::int`;
}

/** Returns the milliseconds of an instant in its slot, as `position_listings.slot_ms` has them. */
function slotMsOf(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((date_part('epoch', ${at}) * 1000)::int8 - ${slotOf(at)}::int8 * 10000)`;
}

/**
 * Returns the condition on the listings called `alias` that their assets are neither flagged as expired nor deleted, or only not
 * flagged as expired. The index of the slots has it.
 */
export function notHidden(alias: string, includeDeleted: boolean): Prisma.Sql {
  return Prisma.raw(`${alias}.hidden_by ${includeDeleted ? '<= 1' : '= 0'}`);
}

/** Returns the condition on the listings called `alias` that their assets are live. The index of the slots has it. */
export function ofLiveAsset(alias: string): Prisma.Sql {
  return Prisma.raw(`${alias}.hidden_by IN (0, 2)`);
}

/**
 * Returns a condition on the listings called `alias`: in the slot, which is a scalar subquery or an expression, and with
 * milliseconds that are known, or not known. It is a range of the index. A slot is compared as a range too: where most assets
 * were in one slot when statistics were made, the planner expects an equality to match the whole table.
 */
function inSlot(alias: string, slot: Prisma.Sql, { isExact }: { isExact: boolean }): Prisma.Sql {
  const s = Prisma.raw(alias);
  const compared = Prisma.raw(isExact ? '<' : '>=');
  return Prisma.sql`${s}.seen_slot BETWEEN ${slot} AND ${slot}
    AND (${s}.seen_slot, ${s}.slot_ms) ${compared} (${slot}, ${unknownSlotMs})`;
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
  /** Whether positions beyond those are cut off. Otherwise all that were seen at the same time remain, for an order that goes on. */
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
 * Takes the first positions in the order of time. The listings give the assets of as many slots as are needed. Of the last slot
 * they give those whose milliseconds are not known, and as many as are needed of the others. Their positions are read and
 * sorted by the exact time, and then their assets are checked.
 *
 * Positions and assets are each read in one pass over a list of keys. That is fast for the fifty rows of a page, and for thousands
 * of assets that are read all the time, for which separate lookups take four times as long. The plan is the same for both, since
 * the planner expects ten keys of any list. The last step is a subquery that cannot become a join, so that it is always hashed.
 */
export function firstPositions(orgId: number, order: TimeOrder): FirstPositions {
  const { reach, isCut, listings = [], before, shown } = order;
  const direction = Prisma.raw(order.descending ? 'DESC' : 'ASC');
  const nearer = Prisma.raw(order.descending ? '>' : '<');
  // Before or after all slots, for an organization that has fewer listings than are needed.
  const beyondAll = Prisma.raw(order.descending ? "'-2147483648'::int" : '2147483647');
  const wanted = allOf([
    Prisma.sql`s.org_id = ${orgId}`,
    before && Prisma.sql`s.seen_slot <= ${slotOf(before)}`,
    // Without those of the last slot that are known to be later.
    before &&
      Prisma.sql`(s.seen_slot < ${slotOf(before)} OR s.slot_ms >= ${unknownSlotMs} OR s.slot_ms < ${slotMsOf(before)})`,
    ...listings,
  ]);
  const taken = allOf([
    Prisma.sql`r.org_id = ${orgId}`,
    Prisma.sql`r.asset_id = ANY((SELECT ids FROM candidate)::int[])`,
    before && Prisma.sql`r.asset_last_seen < ${before}`,
  ]);
  const last = Prisma.raw('(SELECT seen_slot FROM last_slot)');
  const select = Prisma.sql`SELECT s.asset_id FROM position_listings s WHERE ${wanted}`;
  return {
    ctes: Prisma.sql`
      last_slot AS MATERIALIZED (
        SELECT s.seen_slot FROM position_listings s WHERE ${wanted}
         ORDER BY s.seen_slot ${direction}, s.slot_ms ${direction}
         LIMIT 1 OFFSET ${reach} - 1
      ), candidate AS MATERIALIZED (
        SELECT ARRAY(
          (${select} AND s.seen_slot ${nearer} coalesce(${last}, ${beyondAll})
            ORDER BY s.seen_slot ${direction}, s.slot_ms ${direction}
            LIMIT ${reach})
          UNION ALL
          (${select} AND ${inSlot('s', last, { isExact: false })})
          UNION ALL
          (${select} AND ${inSlot('s', last, { isExact: true })}
            ORDER BY s.seen_slot ${direction}, s.slot_ms ${direction}
            FETCH FIRST (${reach}) ROWS WITH TIES)) AS ids
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
    isComplete: Prisma.sql`(NOT EXISTS (SELECT FROM last_slot))`,
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
