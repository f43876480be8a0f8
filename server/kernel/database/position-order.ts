import { Prisma } from '../../../generated/prisma/client.js';
import { allOf } from '../lists.js';
import { instant } from './columns.js';

// The index `asset_positions_order` has the positions of an organization by `hidden_by`, and then in the order of the
// last sighting. An order over several values of `hidden_by` takes a whole page of positions from each value, and sorts
// them together.

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
 */
export function firstPositions(orgId: number, { count, ...order }: TimeOrder & { count: number }): Prisma.Sql {
  const { descending, states, conditions = [], start } = order;
  const select = (state: number) => Prisma.sql`
    (SELECT p.asset_id, p.location_id, p.asset_last_seen
       FROM asset_positions p
      WHERE ${allOf([
        Prisma.sql`p.org_id = ${orgId}`,
        Prisma.sql`p.hidden_by = ${Prisma.raw(String(state))}`,
        start && notBefore(start, descending),
        ...conditions,
      ])}
      ORDER BY p.asset_last_seen ${directionOf(descending)}
      FETCH FIRST (${count}::bigint) ROWS WITH TIES)`;
  return Prisma.join(states.map(select), ' UNION ALL ');
}

/** Returns the condition on the positions `p` that they are at a key or after it. */
export function notBefore({ lastSeenMs, assetId }: PositionKey, descending: boolean): Prisma.Sql {
  const [after, from] = (descending ? ['<', '<='] : ['>', '>=']).map((operator) => Prisma.raw(operator));
  const at = instant(lastSeenMs);
  // The first comparison is a range of the index.
  return Prisma.sql`p.asset_last_seen ${from} ${at} AND (p.asset_last_seen ${after} ${at} OR p.asset_id >= ${assetId}::int)`;
}

export function directionOf(descending: boolean): Prisma.Sql {
  return Prisma.raw(descending ? 'DESC' : 'ASC');
}
