import { Prisma } from '../../../generated/prisma/client.js';
import { timestamp } from './columns.js';
import { ofLiveAsset, seenBefore } from './position-order.js';

// A placement is the location of an asset without a scan or a read of its own: a person set it in the app or by an import, or it moved
// with its container. While the position has the time of the placement as its last sighting, nothing has seen the asset since.

/** Who placed an asset, by which imported file, and when the asset was last seen before; null: never. */
export type Placement = {
  by: string | null;
  file_name: string | null;
  seen_before: string | null;
  /** The container with which it moved; null if it did not move with one. */
  container: { id: number; name: string } | null;
  /** Whether it is a container that was placed where its contents were read. */
  with_contents: boolean;
};

/** Selects `what` of the placement `w` of the asset of `alias` at the time in the column `at`. */
function atTimeOf(what: Prisma.Sql, orgId: number, { alias, at }: { alias: string; at: string }): Prisma.Sql {
  return Prisma.sql`SELECT ${what} FROM asset_placements w
     WHERE w.org_id = ${orgId} AND w.asset_id = ${Prisma.raw(alias)}.asset_id AND w.placed_at = ${Prisma.raw(`${alias}.${at}`)}`;
}

/** Returns a placement as JSON: by default the last word about the position called `alias`. Null if there is none. */
export function placementOf(orgId: number, alias: string, at = 'asset_last_seen'): Prisma.Sql {
  const what = Prisma.sql`json_build_object(
      'by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before', ${timestamp('w.seen_before')},
      'container', (SELECT json_build_object('id', c.id, 'name', c.name) FROM assets c WHERE c.org_id = w.org_id AND c.id = w.container_id),
      'with_contents', w.with_contents)`;
  return Prisma.sql`(${atTimeOf(what, orgId, { alias, at })})`;
}

/** Returns when the asset of the position called `alias` was really seen last; null if it was only placed. */
export function sightingOf(orgId: number, alias: string): Prisma.Sql {
  const seen = Prisma.raw(`CASE WHEN count(*) = 0 THEN ${alias}.asset_last_seen ELSE min(w.seen_before) END`);
  return Prisma.sql`(${atTimeOf(seen, orgId, { alias, at: 'asset_last_seen' })})`;
}

/** Returns the condition that the last word about the asset of the position `p` is a placement. */
export function wasPlaced(orgId: number): Prisma.Sql {
  return Prisma.sql`EXISTS (${lastWord(orgId)} OFFSET 0)`;
}

/** Returns the condition that the asset of the position `p` was only placed, and never seen. */
export function isOnlyPlaced(orgId: number): Prisma.Sql {
  return Prisma.sql`EXISTS (${lastWord(orgId)} AND w.seen_before IS NULL OFFSET 0)`;
}

/** Returns the condition that the visit that began at the time `at` of the row `alias` began by a placement, not by a read or a scan. */
export function beganByPlacement(orgId: number, alias: string, at: 'located_since' | 'arrived_at'): Prisma.Sql {
  return Prisma.sql`EXISTS (${atTimeOf(Prisma.empty, orgId, { alias, at })} AND w.container_id IS NULL OFFSET 0)`;
}

/**
 * Returns the condition that a visit `alias` began or ended by a placement, for statements that read many visits: it can be
 * checked by reading all placements once. Nobody measured when such a visit began or ended. The moves of a container count for
 * its contents.
 */
export function isByPlacement(orgId: number, alias: string, at: 'arrived_at' | 'left_at'): Prisma.Sql {
  return Prisma.sql`EXISTS (${atTimeOf(Prisma.empty, orgId, { alias, at })} AND w.container_id IS NULL)`;
}

/**
 * Returns the condition that nothing has seen the asset of the position `p` since an instant, also if it was placed since. No
 * index serves it: queries that search by it have the first part and `placedUnseenSince` apart.
 */
export function unseenSince(orgId: number, at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`((${seenBefore(at)}) OR EXISTS (${lastWord(orgId)} AND ${wasPlacedUnseen(at)} OFFSET 0))`;
}

/** The condition that the placement `w` was made since an instant, and the asset last seen before the instant or never. */
function wasPlacedUnseen(at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`w.placed_at >= ${at} AND coalesce(w.seen_before < ${at}, true)`;
}

/**
 * Returns the text after `FROM` for the live positions `p` with placements `w` that were made since an instant, of assets that were
 * last seen before it or never; further conditions may follow.
 */
export function placedUnseenSince(orgId: number, at: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`${lastWords(orgId)} AND ${wasPlacedUnseen(at)}`;
}

function lastWord(orgId: number): Prisma.Sql {
  return atTimeOf(Prisma.empty, orgId, { alias: 'p', at: 'asset_last_seen' });
}

/** Returns the text after `FROM` for the placements `w` that are the last word about their live assets, with the positions `p`. */
export function lastWords(orgId: number): Prisma.Sql {
  return Prisma.sql`asset_placements w
      JOIN asset_positions p ON p.org_id = w.org_id AND p.asset_id = w.asset_id AND p.asset_last_seen = w.placed_at
     WHERE w.org_id = ${orgId} AND ${ofLiveAsset('p')}`;
}
