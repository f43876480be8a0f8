import { Prisma } from '../../../generated/prisma/client.js';
import { allOf } from '../lists.js';
import { instant } from './columns.js';

// The index `asset_positions_listed` has the positions of an organization by `hidden_by`, and then by `listed_at`, which
// follows the last sighting only when that is more than two seconds ahead: most reads change no index. An order by the
// last sighting reads two seconds more of the index than its page, and sorts them. An order over several values of
// `hidden_by` takes a whole page of positions from each value, and sorts them together.

/** Returns SQL for the latest time at which an asset may have been seen if its position is listed at a time. */
export const afterListing = (listedAt: string) => `${listedAt} + interval '2 seconds'`;

/** Returns SQL for the earliest time at which a position may be listed if its asset was seen at a time. */
const beforeSighting = (seenAt: Prisma.Sql) => Prisma.sql`${seenAt} - interval '2 seconds'`;

/** Returns the condition that a position `p` is listed before an instant, but was last seen at it or after it. */
export function listedBeforeSeenSince(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`p.listed_at >= ${beforeSighting(at)} AND p.listed_at < ${at} AND p.asset_last_seen >= ${at}`;
}

/** Return conditions on when a position `p` was last seen, for which the index is used. */
export const seenBefore = (at: Prisma.Sql) => Prisma.sql`p.asset_last_seen < ${at} AND p.listed_at < ${at}`;
export const seenUntil = (at: Prisma.Sql) => Prisma.sql`p.asset_last_seen <= ${at} AND p.listed_at <= ${at}`;
export const seenAfter = (at: Prisma.Sql) =>
  Prisma.sql`p.asset_last_seen > ${at} AND p.listed_at > ${beforeSighting(at)}`;

/** Values of `hidden_by`: the asset is shown, deleted, or flagged as expired. */
export const shown = 0;
export const deleted = 1;
export const expired = 2;

/** Returns the condition on the positions called `alias` that their assets are live. */
export function ofLiveAsset(alias: string): Prisma.Sql {
  return Prisma.raw(`${alias}.hidden_by IN (${shown}, ${expired})`);
}

/** Where a page begins: the first position that is not skipped. Its last sighting is in epoch milliseconds. */
export type PositionKey = { lastSeenMs: number; assetId: number };

export type TimeOrder = {
  descending: boolean;
  /** The values of `hidden_by`. */
  states: readonly number[];
  /** Further conditions on the positions `p`. */
  conditions?: readonly (Prisma.Sql | undefined)[];
  /** The first position; by default the first one of the whole order. */
  start?: PositionKey | undefined;
};

/**
 * Selects the first positions `p (asset_id, location_id, asset_last_seen)` in the order of the last sighting, at least
 * `count` from each state. Includes all positions that were seen at the same time as the last one, so that the caller
 * can order them further.
 *
 * The first `count` positions by `listed_at` end at an edge. Positions that were seen at the edge or nearer to the
 * beginning are listed at most two seconds beyond it, so those are read too.
 */
export function firstPositions(orgId: number, { count, ...order }: TimeOrder & { count: number }): Prisma.Sql {
  const { descending, states, conditions = [], start } = order;
  const direction = directionOf(descending);
  const beyond = descending
    ? Prisma.sql`p.listed_at < (SELECT min(f.listed_at) FROM first f)
             AND p.listed_at >= ${beforeSighting(Prisma.sql`(SELECT min(f.listed_at) FROM first f)`)}`
    : Prisma.sql`p.listed_at > (SELECT max(f.listed_at) FROM first f)
             AND p.listed_at <= (SELECT ${Prisma.raw(afterListing('max(f.listed_at)'))} FROM first f)`;
  const select = (state: number) => {
    const found = allOf([
      Prisma.sql`p.org_id = ${orgId}`,
      Prisma.sql`p.hidden_by = ${Prisma.raw(String(state))}`,
      start && notBefore(start, descending),
      ...conditions,
    ]);
    return Prisma.sql`
    (WITH first AS MATERIALIZED (
       SELECT p.asset_id, p.location_id, p.asset_last_seen, p.listed_at
         FROM asset_positions p
        WHERE ${found}
        ORDER BY p.listed_at ${direction}
        FETCH FIRST (${count}::bigint) ROWS WITH TIES
     )
     SELECT f.asset_id, f.location_id, f.asset_last_seen FROM first f
     UNION ALL
     SELECT p.asset_id, p.location_id, p.asset_last_seen
       FROM asset_positions p
      WHERE ${found} AND ${beyond})`;
  };
  return Prisma.join(states.map(select), ' UNION ALL ');
}

/** Returns the condition on the positions `p` that they are at a key or after it. */
export function notBefore({ lastSeenMs, assetId }: PositionKey, descending: boolean): Prisma.Sql {
  const [after, from] = (descending ? ['<', '<='] : ['>', '>=']).map((operator) => Prisma.raw(operator));
  const at = instant(lastSeenMs);
  // The last comparison is a range of the index.
  return Prisma.sql`p.asset_last_seen ${from} ${at} AND (p.asset_last_seen ${after} ${at} OR p.asset_id >= ${assetId}::int)
        AND p.listed_at ${from} ${descending ? at : beforeSighting(at)}`;
}

export function directionOf(descending: boolean): Prisma.Sql {
  return Prisma.raw(descending ? 'DESC' : 'ASC');
}
