import { type ContainerName, contentsMax, levelsMax } from '../../kernel/database/containers.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import { lockStatement } from '../../kernel/database/locks.js';
import type { Scope } from '../../people/activity/record.js';
import { type AssetTrack, beginTrack } from '../scans/asset-track.js';
import { carryInto } from '../scans/contents.js';
import { lockPositions, positionOf } from '../scans/resolve-batch.js';
import { announceEvents, decideEvents, type Outbound, storeTracks } from '../scans/store-tracks.js';
import { findLocationNames, lockLiveAssets, submissionInstants } from '../scans/submit-queries.js';
import {
  announceContainments,
  type AssetContainment,
  type Capacity,
  capacityOf,
  endContainments,
  endInDeleted,
  endOfDeletedInside,
  findAssetContainments,
  positionOfContainer,
  startContainments,
} from './change-queries.js';

// docs/internals/concurrency.md says why changes of containments lock the organization's tree.

/** Why an asset cannot be put into a container or taken out of one. */
export type ContainmentFailure =
  | 'not_found'
  | 'in_itself'
  | 'too_deep'
  | 'container_full'
  /** It was put into a container, or left one, after a device that was offline scanned it, or a person saw it. */
  | 'changed_since'
  | 'not_contained';

/** The result for an asset that was put into a container, with the container it was in and the location it was at, if those are others. */
export type PutInResult =
  | { asset_id: number; status: 'done'; was_in: ContainerName | null; from: { id: number; name: string } | null }
  | { asset_id: number; status: 'failed'; reason: ContainmentFailure };

export type TakenOutResult =
  | { asset_id: number; status: 'done'; was_in: ContainerName }
  | { asset_id: number; status: 'failed'; reason: ContainmentFailure };

/** The organization and the author of a change, and who is notified of it. */
export type ChangeScope = Scope & { outbound: Outbound };

/** Locks everything that a change of containments depends on: it is the first statement of the transaction. */
export async function lockContainments(tx: TransactionClient, orgId: number): Promise<void> {
  await tx.$queryRaw(lockStatement('tree', orgId));
}

/**
 * Puts assets into a container, each out of the one that it was in, and places them where the container is. The failure of one does
 * not affect the others. The caller has called `lockContainments`.
 *
 * @param observedAtMs when a device scanned them; absent if nobody has scanned them now
 *
 * @throws ContractError `not_found` if there is no such live container
 */
export async function putIn(
  tx: TransactionClient,
  scope: ChangeScope,
  { containerId, assetIds, observedAtMs }: { containerId: number; assetIds: readonly number[]; observedAtMs?: number },
): Promise<PutInResult[]> {
  const { orgId, outbound } = scope;
  const { userId } = outbound;
  const live = new Set(await lockLiveAssets(tx, orgId, [...new Set([containerId, ...assetIds])]));
  const capacity = live.has(containerId) ? await capacityOf(tx, orgId, containerId) : undefined;
  if (!capacity) throw refusal('not_found', { what: 'Asset' });
  await endInDeleted(tx, orgId, [containerId, ...capacity.above_ids]);
  const wanted = [...new Set(assetIds)].filter((id) => live.has(id));
  const { contained, directContents } = await makeSpace(tx, orgId, { containerId, wanted, capacity });
  const known = new Map(contained.map((row) => [row.asset_id, row]));
  const { nowMs } = await submissionInstants(tx, 0);
  const atMs = Math.min(observedAtMs ?? nowMs, nowMs);
  const isScanned = observedAtMs !== undefined;
  const assets = wanted.flatMap((id) => known.get(id) ?? []);
  const into = { containerId, capacity: { ...capacity, direct_contents: directContents }, atMs };
  const { failures, wasIn, inside } = divide(assets, into);
  const scanned = isScanned ? inside : [];
  const ids = [...wasIn.keys()].sort((one, other) => one - other);
  if (ids.length > 0) {
    await endContainments(tx, scope, { leaving: leavingAt(ids, atMs), isPutElsewhere: true, by: 'person', userId });
    await startContainments(tx, scope, { containerId, wasIn, userId, atMs });
    const former = [...wasIn.values()].flatMap((container) => container?.id ?? []);
    await announceContainments(tx, orgId, [...ids, containerId, ...former]);
  }
  const placed = new Set([...ids, ...scanned].sort((one, other) => one - other));
  if (placed.size > 0) {
    const scanning = isScanned ? { atMs, insideIds: new Set(inside) } : undefined;
    await placeWithContainer(tx, scope, { containerId, assetIds: [...placed], atMs, nowMs, scanned: scanning });
  }
  const to = placed.size === 0 ? null : ((await positionOfContainer(tx, orgId, containerId))?.location_id ?? null);
  const names = await findLocationNames(
    tx,
    orgId,
    [...known.values()].flatMap(({ location_id: id }) => id ?? []),
  );
  return assetIds.map((id): PutInResult => {
    const [asset, reason] = [known.get(id), failures.get(id)];
    if (!asset) return { asset_id: id, status: 'failed', reason: 'not_found' };
    if (reason) return { asset_id: id, status: 'failed', reason };
    const hasMoved = placed.has(id) && to !== null && asset.location_id !== to;
    const from = hasMoved ? (names.get(asset.location_id ?? 0) ?? null) : null;
    return { asset_id: id, status: 'done', was_in: asset.was_in, from };
  });
}

type Divided = {
  failures: Map<number, ContainmentFailure>;
  /** The assets that can be put in, with the containers that they leave. */
  wasIn: Map<number, ContainerName | null>;
  /** The assets that were in the container already, and have not been put there since. */
  inside: number[];
};

/** Divides assets into those that can be put into a container, those that cannot, and those that are in it. */
function divide(
  assets: readonly AssetContainment[],
  { containerId, capacity, atMs }: { containerId: number; capacity: Capacity; atMs: number },
): Divided {
  const divided: Divided = { failures: new Map(), wasIn: new Map(), inside: [] };
  const { failures, wasIn, inside } = divided;
  for (const asset of assets) {
    const { asset_id: id, was_in: container } = asset;
    const isChanged = (asset.changed_at ?? 0) > atMs;
    if (container?.id === containerId) {
      if (!isChanged) inside.push(id);
    } else if (id === containerId || capacity.above_ids.includes(id)) failures.set(id, 'in_itself');
    else if (isTooDeep(asset, capacity)) failures.set(id, 'too_deep');
    else if (capacity.direct_contents + wasIn.size >= contentsMax) failures.set(id, 'container_full');
    else if (isChanged) failures.set(id, 'changed_since');
    else wasIn.set(id, container);
  }
  return divided;
}

function leavingAt(assetIds: readonly number[], atMs: number): ReadonlyMap<number, number> {
  return new Map(assetIds.map((id) => [id, atMs]));
}

function isTooDeep({ levels }: AssetContainment, { above_ids: aboveIds }: Capacity): boolean {
  return aboveIds.length + 1 + levels > levelsMax;
}

type Wanted = { containerId: number; wanted: readonly number[]; capacity: Capacity };

/**
 * Ends the containments of deleted assets, if the wanted ones would not fit otherwise. Returns the wanted assets with their containers,
 * and the number of assets in the container.
 */
async function makeSpace(
  tx: TransactionClient,
  orgId: number,
  { containerId, wanted, capacity }: Wanted,
): Promise<{ contained: AssetContainment[]; directContents: number }> {
  const contained = await findAssetContainments(tx, orgId, wanted);
  const deep = contained.filter((asset) => isTooDeep(asset, capacity)).map(({ asset_id: id }) => id);
  const full = capacity.direct_contents + wanted.length > contentsMax ? [containerId] : [];
  if (deep.length + full.length === 0) return { contained, directContents: capacity.direct_contents };
  await endOfDeletedInside(tx, orgId, [...full, ...deep]);
  return {
    contained: deep.length === 0 ? contained : await findAssetContainments(tx, orgId, wanted),
    directContents: (await capacityOf(tx, orgId, containerId))?.direct_contents ?? 0,
  };
}

type TakingOut = { assetIds: readonly number[]; containerId?: number; observedAtMs?: number };

/**
 * Takes assets out of the containers that they are in. They stay where they are. The caller has called `lockContainments`.
 *
 * @param containerId what was put into another container since fails with `changed_since`
 * @param observedAtMs when a device scanned them; absent if nobody has scanned them now
 */
export async function takeOut(
  tx: TransactionClient,
  scope: ChangeScope,
  { assetIds, containerId, observedAtMs }: TakingOut,
): Promise<TakenOutResult[]> {
  const { orgId, outbound } = scope;
  const live = await lockLiveAssets(tx, orgId, [...new Set(assetIds)]);
  const { nowMs } = await submissionInstants(tx, 0);
  const atMs = Math.min(observedAtMs ?? nowMs, nowMs);
  const known =
    observedAtMs === undefined && containerId === undefined ? [] : await findAssetContainments(tx, orgId, live);
  const isElsewhere = ({ was_in: before }: AssetContainment) =>
    containerId !== undefined && before !== null && before.id !== containerId;
  const changed = new Set(
    known.flatMap((row) => ((row.changed_at ?? 0) > atMs || isElsewhere(row) ? row.asset_id : [])),
  );
  const ending = { by: 'person', isPutElsewhere: false, userId: outbound.userId } as const;
  const leaving = live.filter((id) => !changed.has(id));
  const ended = new Map(
    (await endContainments(tx, scope, { leaving: leavingAt(leaving, atMs), ...ending })).map(({ asset_id, was_in }) => [
      asset_id,
      was_in,
    ]),
  );
  await announceContainments(
    tx,
    orgId,
    [...ended].flatMap(([id, container]) => [id, container.id]),
  );
  return assetIds.map((id): TakenOutResult => {
    const was = ended.get(id);
    if (was) return { asset_id: id, status: 'done', was_in: was };
    if (changed.has(id)) return { asset_id: id, status: 'failed', reason: 'changed_since' };
    return { asset_id: id, status: 'failed', reason: live.includes(id) ? 'not_contained' : 'not_found' };
  });
}

/**
 * Puts assets back into the live containers that are given by their ids, and takes those with null out of theirs. The caller has
 * called `lockContainments`, and holds the containers.
 */
export async function bringBack(
  tx: TransactionClient,
  scope: ChangeScope,
  returns: ReadonlyMap<number, number | null>,
): Promise<Map<number, PutInResult | TakenOutResult>> {
  const groups = new Map<number | null, number[]>();
  for (const [assetId, containerId] of returns) {
    const assetIds = groups.get(containerId) ?? [];
    if (assetIds.push(assetId) === 1) groups.set(containerId, assetIds);
  }
  const results = new Map<number, PutInResult | TakenOutResult>();
  for (const [containerId, assetIds] of groups) {
    const part =
      containerId === null ? await takeOut(tx, scope, { assetIds }) : await putIn(tx, scope, { containerId, assetIds });
    for (const result of part) results.set(result.asset_id, result);
  }
  return results;
}

/** Places assets where their container is, with what is in them, if the container has a location. */
async function placeWithContainer(
  tx: TransactionClient,
  { orgId, outbound }: ChangeScope,
  placing: Pick<Parameters<typeof carryInto>[2], 'containerId' | 'atMs' | 'scanned'> & {
    assetIds: readonly number[];
    nowMs: number;
  },
): Promise<void> {
  const { containerId, atMs, nowMs, scanned } = placing;
  const rows = await lockPositions(tx, orgId, placing.assetIds);
  const tracks = rows.map((row) => beginTrack(orgId, row.asset_id, positionOf(row)));
  const position = await positionOfContainer(tx, orgId, containerId);
  // A device may have scanned them before the container came where it is.
  const placedAtMs = Math.max(atMs, Math.min(position?.since ?? atMs, nowMs));
  const to = position?.location_id ?? null;
  const { userId } = outbound;
  const isSeen = scanned !== undefined;
  const into = { containerId, to, atMs: placedAtMs, scanned, receivedAtMs: nowMs, userId, isSeen };
  await storeCarried(tx, outbound, await carryInto(tx, tracks, into));
}

/** Announces and stores what was carried. */
export async function storeCarried(
  tx: TransactionClient,
  outbound: Outbound,
  tracks: readonly AssetTrack[],
): Promise<void> {
  const deciding = decideEvents({ lookUpAll: false });
  for (const track of tracks) deciding.add(track);
  const decided = await deciding.finish(tx);
  await announceEvents(tx, outbound, { changes: decided.changes, unknown: [] });
  await storeTracks(tx, decided, { unknown: [], readers: undefined, isRepeatable: true, isLast: false });
}
