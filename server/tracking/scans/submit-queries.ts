import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs } from '../../kernel/database/columns.js';
import { namedByValues } from './named-queries.js';
import type { NamedLocation, SubmittedRead } from './schemas.js';

export async function locationIsLive(tx: TransactionClient, orgId: number, locationId: number): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM locations WHERE org_id = ${orgId} AND id = ${locationId} AND deleted_at IS NULL`;
  return rows.length > 0;
}

/** Returns the names of locations, also of deleted ones. */
export async function findLocationNames(
  tx: TransactionClient,
  orgId: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, NamedLocation>> {
  const rows = await tx.$queryRaw<NamedLocation[]>`
    SELECT id, name FROM locations WHERE org_id = ${orgId}::int AND id = ANY (${[...new Set(ids)]}::int[])`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** The asset or the location that a read names, if any. */
export type ResolvedRead = { assetId: number | null; locationId: number | null; isKnown: boolean };

/** Finds the assets and locations of reads, in their order, by the rules of `namedByValues`. */
export async function resolveSubmittedReads(
  tx: Queries,
  orgId: number,
  { reads, baseUrl }: { reads: readonly SubmittedRead[]; baseUrl: string },
): Promise<ResolvedRead[]> {
  const scanned = reads.map(({ value, tag_type }) =>
    value === undefined ? undefined : { value, ...(tag_type && { tag_type }) },
  );
  const rows = await tx.$queryRaw<{ ordinal: number; asset_id: number | null; location_id: number | null }[]>`
    SELECT DISTINCT ON (n.ordinal) n.ordinal, n.asset_id, n.location_id
      FROM (${namedByValues(orgId, scanned, baseUrl)}) n
     ORDER BY n.ordinal, n.rank_1, n.rank_2, n.rank_3, n.rank_4, n.id`;
  const named = new Map(rows.map((row) => [row.ordinal, row]));
  return reads.map(({ asset_id: chosen }, index) => {
    if (chosen !== undefined) return { assetId: chosen, locationId: null, isKnown: true };
    const { asset_id: assetId = null, location_id: locationId = null } = named.get(index + 1) ?? {};
    return { assetId, locationId, isKnown: named.has(index + 1) };
  });
}

/**
 * Returns the assets that are live, ordered by id, and locks them against deletion until the end of the
 * transaction.
 */
export async function lockLiveAssets(
  tx: TransactionClient,
  orgId: number,
  assetIds: readonly number[],
): Promise<number[]> {
  const rows = await tx.$queryRaw<{ id: number }[]>`
    SELECT id
      FROM assets
     WHERE org_id = ${orgId} AND id = ANY (${assetIds}::int[]) AND deleted_at IS NULL
     ORDER BY id
       FOR SHARE`;
  return rows.map(({ id }) => id);
}

/** Returns the database's clock, and the time before which events are not kept. */
export async function submissionInstants(
  tx: TransactionClient,
  retentionMs: number,
): Promise<{ nowMs: number; retentionBeginMs: number }> {
  const rows = await tx.$queryRaw<[{ now_ms: number }]>`
    SELECT ${epochMs('at')} AS now_ms FROM (SELECT ${currentInstant} AS at) present`;
  return { nowMs: rows[0].now_ms, retentionBeginMs: rows[0].now_ms - retentionMs };
}
