import { type AssetState, freshState, type LocationId } from '../../locating/index.js';
import type { StatementRunner } from '../../kernel/database/statement.js';
import { type AssetTrack, beginTrack, newestKnownMs } from './asset-track.js';
import {
  type Carried,
  carriedMax,
  type ContainedRow,
  findContainers,
  lockContents,
  recordCarried,
  type Recorded,
  settleLater,
} from './contents-queries.js';
import { addMove } from './moves.js';
import { positionOf } from './resolve-batch.js';

// The one writer of where the contents of containers are: docs/decisions/0049-contents-have-their-own-positions.md explains why. A
// container whose decided location changes takes its contents along, in the same transaction: each of them except those that their own
// reads place elsewhere.

/** The user who moves, when it was received, and whether reads or scans decided it, so that the contents count as seen. */
export type Carrying = { receivedAtMs: number; userId: number | null; isSeen: boolean };

/** A change of the location of a container; `from` is null if it was at no location before. */
type ContainerMove = {
  orgId: number;
  containerId: number;
  from: LocationId | null;
  to: LocationId;
  atMs: number;
};

type Key = `${number} ${number}`;

const keyOf = (orgId: number, assetId: number): Key => `${orgId} ${assetId}`;

const locationOf = ({ state }: AssetTrack): LocationId => state?.location ?? 0;

/** The moves of one container, oldest first. */
type ContainerMoves = readonly ContainerMove[];

/** Of more moves of a container in one batch, its contents take the last ones. */
const movesMax = 10;

/** Returns the moves of an asset in this transaction, as moves of a container. */
function movesOf({ orgId, assetId, moves = [] }: AssetTrack): ContainerMoves {
  return moves.map(({ from, to, atMs }) => ({ orgId, containerId: assetId, from: from || null, to, atMs }));
}

/** Returns the last moves, the first of them from where the container was before all. */
function lastMoves(moves: ContainerMoves, max: number): ContainerMoves {
  const [first] = moves;
  if (!first || moves.length <= max) return moves;
  return moves.slice(-max).map((move, index) => (index === 0 ? { ...move, from: first.from } : move));
}

/**
 * Moves the contents of containers that tracks have moved, and adds jobs for containers that are elsewhere than some of their
 * contents. Returns the tracks with those of the contents. Runs no statement if no asset has moved.
 */
export async function moveContents(
  runner: StatementRunner,
  tracks: readonly AssetTrack[],
  carrying: Carrying,
): Promise<readonly AssetTrack[]> {
  const moved = tracks.filter(({ moves }) => moves !== undefined);
  if (moved.length === 0) return tracks;
  // Both are sent at once.
  const [containers, { tracks: all, apart, carried }] = await Promise.all([
    findContainers(runner, moved),
    carryInside(runner, { tracks, moves: moved.map(movesOf), carrying }),
  ]);
  const byKey = new Map(all.map((track) => [keyOf(track.orgId, track.assetId), track]));
  for (const { org_id: orgId, asset_id: assetId, container_id: containerId, location_id } of containers) {
    const [asset, container] = [byKey.get(keyOf(orgId, assetId)), byKey.get(keyOf(orgId, containerId))];
    const isAt = container ? locationOf(container) : (location_id ?? 0);
    if (asset && locationOf(asset) !== isAt) apart.set(keyOf(orgId, containerId), { orgId, assetId: containerId });
  }
  await noteCarried(runner, { ...carrying, carried }, apart);
  return all;
}

type Apart = Map<Key, { orgId: number; assetId: number }>;

/** Records what was carried, before positions change, and adds jobs for containers that are apart from contents. Both are sent at once. */
async function noteCarried(runner: StatementRunner, recorded: Recorded, apart: Apart): Promise<void> {
  await Promise.all([recordCarried(runner, recorded), settleLater(runner, [...apart.values()])]);
}

type CarryingInto = Carrying & {
  containerId: number;
  to: LocationId | null;
  atMs: number;
  /** When a device scanned them, and which were in the container already. */
  scanned?: { atMs: number; insideIds: ReadonlySet<number> } | undefined;
};

/**
 * Places assets with a container, wherever they were, and their own contents with them. An asset that was read after it was put in
 * stays where it is, as all do if the container is at no location (`to` is null): a job decides then. What was scanned and is with the
 * container already counts as seen. What was in it already stays where it is if it was read there after the scan, also if the container
 * has moved since.
 */
export async function carryInto(
  runner: StatementRunner,
  tracks: readonly AssetTrack[],
  { containerId, to, atMs, scanned, ...carrying }: CarryingInto,
): Promise<readonly AssetTrack[]> {
  const carried: Carried[] = [];
  const moves: ContainerMoves[] = [];
  const apart: Apart = new Map();
  for (const track of tracks) {
    const { orgId, assetId, position, state } = track;
    const isAt = locationOf(track);
    if (isAt === to && scanned) seeAgain(track, scanned.atMs, carrying);
    if (isAt === to || (to === null && isAt === 0)) continue;
    const togetherMs = scanned?.insideIds.has(assetId) ? scanned.atMs : atMs;
    if (to === null || (state && lastReadMs(state, isAt) > togetherMs)) {
      apart.set(keyOf(orgId, containerId), { orgId, assetId: containerId });
      continue;
    }
    carried.push({ orgId, assetId, containerId, atMs: carry(track, { to, atMs }, carrying) });
    moves.push([{ orgId, containerId: assetId, from: position?.location || null, to, atMs }]);
  }
  const inside = await carryInside(runner, { tracks, moves, carrying });
  const recorded = { ...carrying, carried: [...carried, ...inside.carried] };
  await noteCarried(runner, recorded, new Map([...apart, ...inside.apart]));
  return inside.tracks;
}

/** Places a container where its contents are, with those of them that are not elsewhere by their own reads. */
export async function carryContainer(
  runner: StatementRunner,
  track: AssetTrack,
  { to, atMs, ...carrying }: Carrying & { to: LocationId; atMs: number },
): Promise<readonly AssetTrack[]> {
  const { orgId, assetId } = track;
  const carried = [{ orgId, assetId, containerId: null, atMs: carry(track, { to, atMs }, carrying) }];
  await recordCarried(runner, { ...carrying, carried });
  return moveContents(runner, [track], carrying);
}

type Inside = { tracks: readonly AssetTrack[]; moves: readonly ContainerMoves[]; carrying: Carrying };

/** All tracks, ordered by id, the containers with contents elsewhere, and what was carried, which the caller records. */
type CarriedInside = { tracks: readonly AssetTrack[]; apart: Apart; carried: Carried[] };

/** Carries the contents of moved containers, at all levels. */
async function carryInside(runner: StatementRunner, { tracks, moves, carrying }: Inside): Promise<CarriedInside> {
  const apart: Apart = new Map();
  const carried: Carried[] = [];
  const rows = await lockAll(runner, moves);
  if (rows.length === 0) return { tracks, apart, carried };
  const byKey = new Map(tracks.map((track) => [keyOf(track.orgId, track.assetId), track]));
  const contents = new Map<Key, AssetTrack[]>();
  const counts = new Map<number, number>();
  const cutOrgIds = new Set<number>();
  for (const row of rows) {
    const { org_id: orgId } = row;
    const key = keyOf(orgId, row.asset_id);
    const track = byKey.get(key) ?? beginTrack(orgId, row.asset_id, positionOf(row));
    byKey.set(key, track);
    const container = keyOf(orgId, row.container_id);
    const others = contents.get(container);
    if (others) others.push(track);
    else contents.set(container, [track]);
    counts.set(orgId, (counts.get(orgId) ?? 0) + 1);
    if (row.is_cut) cutOrgIds.add(orgId);
  }
  const carriedTracks = new Set<AssetTrack>();
  const waiting = moves.flatMap((ofOne) => {
    const count = counts.get(ofOne[0]?.orgId ?? 0) ?? 1;
    return lastMoves(ofOne, Math.max(1, Math.min(movesMax, Math.floor(carriedMax / count))));
  });
  // Contents that are containers themselves are added while it runs.
  for (const move of waiting) {
    const { orgId, containerId, to, atMs } = move;
    for (const track of contents.get(keyOf(orgId, containerId)) ?? []) {
      const from = locationOf(track);
      if (from === to || isElsewhere(track, move, carriedTracks.has(track))) continue;
      const { assetId } = track;
      carried.push({ orgId, assetId, containerId, atMs: carry(track, { to, atMs }, carrying) });
      carriedTracks.add(track);
      waiting.push({ orgId, containerId: assetId, from: from || null, to, atMs });
    }
  }
  for (const [key, inside] of contents) {
    const container = byKey.get(key);
    if (container && inside.some((track) => locationOf(track) !== locationOf(container))) {
      apart.set(key, { orgId: container.orgId, assetId: container.assetId });
    }
  }
  // Jobs move the contents that were not locked.
  for (const { orgId, containerId: assetId } of waiting) {
    if (cutOrgIds.has(orgId)) apart.set(keyOf(orgId, assetId), { orgId, assetId });
  }
  return { tracks: [...byKey.values()].sort((one, other) => one.assetId - other.assetId), apart, carried };
}

/** Locks the contents of moved containers, organization by organization in the order of their ids, so that each has a limit of its own. */
async function lockAll(runner: StatementRunner, moves: readonly ContainerMoves[]): Promise<ContainedRow[]> {
  const byOrg = new Map<number, { orgId: number; assetId: number }[]>();
  for (const [first] of moves) {
    if (!first) continue;
    const { orgId, containerId: assetId } = first;
    const containers = byOrg.get(orgId) ?? [];
    if (containers.push({ orgId, assetId }) === 1) byOrg.set(orgId, containers);
  }
  const orgs = [...byOrg].sort(([one], [other]) => one - other);
  return (await Promise.all(orgs.map(([, containers]) => lockContents(runner, containers)))).flat();
}

/**
 * Returns whether an asset is elsewhere by its own reads: they have just moved it, it was not where the container was, or it was
 * read there after the container had left, and not where the container is.
 */
function isElsewhere(track: AssetTrack, { from, to, atMs }: ContainerMove, isCarried: boolean): boolean {
  const { state } = track;
  const location = locationOf(track);
  if (!state || location === 0) return false;
  if (track.movedAtMs !== null && !isCarried) return true;
  if (from !== null && location !== from) return true;
  return lastReadMs(state, location) > atMs && lastReadMs(state, to) < atMs;
}

/** Returns when an asset was last read or scanned by hand at a location; minus infinity if that is not known. */
export function lastReadMs(
  { tallies, reason, location: decided, settledMs }: AssetState,
  location: LocationId,
): number {
  let lastMs = reason === 'handheld' && decided === location ? settledMs : Number.NEGATIVE_INFINITY;
  for (const tally of tallies) if (tally.location === location) lastMs = Math.max(lastMs, tally.lastMs);
  return lastMs;
}

/** Notes that an asset was scanned where it is. */
function seeAgain(track: AssetTrack, atMs: number, { receivedAtMs }: Carrying): void {
  const { state } = track;
  if (!state || atMs <= track.lastSeenMs) return;
  track.state = { ...state, lastSeenMs: atMs };
  track.lastSeenMs = atMs;
  track.readerId = null;
  track.antenna = null;
  const source = { readerId: null, antenna: null, rssiDbm: null, receivedAtMs };
  track.sightings.push({ atMs, location: state.location, asBefore: false, beganAtMs: null, windowMs: 0, source });
}

/** Moves an asset with another one. What its antennas have heard stays, so its own reads can move it on. Returns when it moved. */
function carry(
  track: AssetTrack,
  { to, atMs: wantedMs }: { to: LocationId; atMs: number },
  { receivedAtMs }: Carrying,
): number {
  const { state } = track;
  // Its own reads may be newer than the move.
  const atMs = Math.max(wantedMs, newestKnownMs(track, wantedMs) + 1);
  const lastSeenMs = Math.max(track.lastSeenMs, atMs);
  track.state = {
    ...freshState({ location: to, sinceMs: atMs, lastSeenMs }),
    previous: state?.location ?? null,
    loudest: state?.loudest ?? [null, null],
    lateRuns: state?.lateRuns ?? [],
    tallies: state?.tallies ?? [],
  };
  track.lastSeenMs = lastSeenMs;
  track.readerId = null;
  track.antenna = null;
  track.movedAtMs = atMs;
  addMove(track, { from: state?.location ?? 0, to, decidedBy: 0, beganAtMs: null, seenAtMs: atMs, atMs });
  const source = { readerId: null, antenna: null, rssiDbm: null, receivedAtMs };
  track.sightings.push({ atMs, location: to, asBefore: false, beganAtMs: null, windowMs: 0, source });
  return atMs;
}
