import { z } from 'zod';
import { findKindOf } from '../asset-kinds/queries.js';
import type { KindOfAsset } from '../asset-kinds/schemas.js';
import { findOpenProblems, type Problem } from '../asset-problems/queries.js';
import { sessionProcedure } from '../../trpc.js';
import { formatTimestamp } from '../../kernel/time.js';
import type { Database } from '../../kernel/database/client.js';
import { epochMs } from '../../kernel/database/columns.js';
import { type ContainerName, containersOf } from '../../kernel/database/containers.js';
import { type Placement, placementOf } from '../../kernel/database/placements.js';
import { decodeState, portOf, readerOf } from '../../locating/index.js';
import { isAway } from './belongs-to.js';
import { type LocationWithPath, readLocationPaths } from './location-paths.js';
import { assetNotFound } from './procedure.js';
import { findAsset } from './queries.js';
import { type AssetView, assetId } from './schemas.js';
import { viewAsset } from './view.js';

/** The position of an asset, and the reader that saw it last or the person who placed it. */
export type AssetPosition = {
  location: LocationWithPath | null;
  asset_last_seen: string;
  located_since: string;
  /** Null if a handheld saw it or it was placed, like `antenna`. A deleted reader keeps its name. */
  reader: { id: number; name: string; is_deleted: boolean } | null;
  antenna: number | null;
  /** Null if it was seen, not placed. */
  placement: Placement | null;
};

export type AssetDetail = AssetView & {
  kind: KindOfAsset | null;
  /** The containers that it is in, from the inside out. */
  containers: ContainerName[];
  /** The location that it belongs to, which may be deleted. */
  belongs_to: LocationWithPath | null;
  /** Whether it is known to be elsewhere. */
  is_away: boolean;
  /** Open problems, newest first; at most 20. */
  problems: Problem[];
  /** Null if it was never seen. */
  position: AssetPosition | null;
};

/** Returns a live asset, effective or not, with its position. */
export const getAssetDetail = sessionProcedure('viewer')
  .input(z.strictObject(assetId))
  .query(async ({ ctx, input }): Promise<AssetDetail> => {
    const { db } = ctx.services;
    const [asset, kind, problems, position, relations] = await Promise.all([
      findAsset(db, ctx.orgId, input.asset_id),
      findKindOf(db, ctx.orgId, input.asset_id),
      findOpenProblems(db, ctx.orgId, input.asset_id),
      findPosition(db, ctx.orgId, input.asset_id),
      findRelations(db, ctx.orgId, input.asset_id),
    ]);
    if (!asset) throw assetNotFound();
    const { belongs_to_id: belongsToId, containers } = relations;
    const seen = position && lastSeenBy(position);
    const [locations, reader] = await Promise.all([
      readLocationPaths(db, ctx.orgId, [position?.location_id ?? null, belongsToId]),
      seen && db.models((models) => models.reader.findFirst({ where: { orgId: ctx.orgId, id: seen.readerId } })),
    ]);
    const locationOf = (id: number | null | undefined) => locations.get(id ?? 0) ?? null;
    const [location, belongsTo] = [locationOf(position?.location_id), locationOf(belongsToId)];
    return {
      ...viewAsset(asset),
      kind,
      problems,
      containers,
      belongs_to: belongsTo,
      is_away: isAway(belongsTo, location),
      position: position && {
        location,
        asset_last_seen: formatTimestamp(position.asset_last_seen),
        located_since: formatTimestamp(position.located_since),
        reader: reader && { id: reader.id, name: reader.name, is_deleted: reader.deletedAt !== null },
        antenna: seen?.antenna ?? null,
        placement: position.placement,
      },
    };
  });

/** The position of one asset; instants are epoch milliseconds. */
type PositionRow = {
  location_id: number | null;
  /** The last reader that saw it at this location. */
  reader_id: number | null;
  antenna: number | null;
  locating: string | null;
  asset_last_seen: number;
  located_since: number;
  placement: Placement | null;
};

async function findPosition(db: Database, orgId: number, assetId: number): Promise<PositionRow | null> {
  const rows = await db.$queryRaw<PositionRow[]>`
    SELECT p.location_id, p.reader_id, p.antenna, p.locating,
           ${epochMs('p.asset_last_seen')} AS asset_last_seen, ${epochMs('p.located_since')} AS located_since,
           ${placementOf(orgId, 'p')} AS placement
      FROM asset_positions p
     WHERE p.org_id = ${orgId} AND p.asset_id = ${assetId}`;
  return rows[0] ?? null;
}

/** The location that an asset belongs to, and the containers that it is in. */
type Relations = { belongs_to_id: number | null; containers: ContainerName[] };

async function findRelations(db: Database, orgId: number, assetId: number): Promise<Relations> {
  const rows = await db.$queryRaw<Relations[]>`
    SELECT a.belongs_to_id, ${containersOf(orgId, 'a')} AS containers
      FROM assets a WHERE a.org_id = ${orgId} AND a.id = ${assetId}`;
  return rows[0] ?? { belongs_to_id: null, containers: [] };
}

/** Returns the antenna that saw an asset last, wherever the antenna is; null if a handheld saw it last, or it was placed. */
function lastSeenBy(position: PositionRow): { readerId: number; antenna: number | null } | null {
  const { reader_id: readerId, antenna, locating, asset_last_seen: lastSeenMs, placement } = position;
  if (placement) return null;
  const newest = decodeState(locating)?.tallies.find(({ lastMs }) => lastMs >= lastSeenMs);
  if (newest) return { readerId: readerOf(newest.antenna), antenna: portOf(newest.antenna) };
  return readerId === null ? null : { readerId, antenna };
}
