import type { TransactionClient } from '../../kernel/database/client.js';
import { sqlState } from '../../kernel/database/faults.js';
import { addChecks } from '../../things/locations/check-queries.js';
import { judgeScan } from '../../locating/index.js';
import { type AssetTrack, beginTrack, closingSighting, newestKnownMs } from './asset-track.js';
import { moveContents } from './contents.js';
import { addMove } from './moves.js';
import { recordPlacements } from './placement-queries.js';
import type { EventSource } from './event-log.js';
import type { LocatingKnowledge } from './locating-knowledge.js';
import { lockPositions, positionOf, seenBefore } from './resolve-batch.js';
import type { UnknownCount } from './scan-changes.js';
import { OvertakenError } from './storage-queries.js';
import { announceEvents, decideEvents, type Outbound, storeTracks } from './store-tracks.js';

/**
 * A scan that is older than the newest read of its asset by more than this is late, like a late read: it is inserted
 * into the history, and never moves the position back. A smaller difference comes from clocks or the network.
 */
const scanAgeMaxMs = 10_000;

const attemptsMax = 5;

/** SQLSTATEs of a deadlock and a serialization failure. */
const deadlockStates = new Set(['40P01', '40001']);

/** Runs a transaction that places assets. Retries up to four times if another transaction was faster. */
export async function retryPlacing<Result>(place: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await place();
    } catch (error) {
      const canBeTriedAgain = error instanceof OvertakenError || deadlockStates.has(sqlState(error) ?? '');
      if (attempt === attemptsMax || !canBeTriedAgain) throw error;
    }
  }
}

/**
 * Where an asset was before, and where it stays if it was seen there after the scan, or is not at `onlyFrom`; null for no
 * location.
 */
export type Placed = { from: number | null; staysAt?: number | null };

export type HandPlacing = {
  /** Live assets, ordered by id. */
  assetIds: readonly number[];
  locationId: number;
  /** Assets that are elsewhere are not placed. */
  onlyFrom?: number;
  observedAtMs: number;
  receivedAtMs: number;
  /** Until this time, reads by fixed readers are labels of the location and move nothing: a guided calibration. */
  labelUntilMs?: number;
  locating: LocatingKnowledge;
  unknown: UnknownCount[];
  outbound: Outbound;
  /** For assets that nobody scanned: the imported file, or null if a person set the location in the app. */
  placement?: { fileName: string | null };
};

/**
 * Places assets at a location, as a person with a handheld or an import reported, and counts values that are not attached
 * to anything. Every scan is an event, without deduplication. A placement without a scan decides alike, and is recorded as
 * one. The caller has locked the organization's tree and the assets.
 *
 * @returns what was done with each asset
 * @throws OvertakenError if the transaction has to be repeated
 */
export async function placeByHand(
  tx: TransactionClient,
  orgId: number,
  placing: HandPlacing,
): Promise<ReadonlyMap<number, Placed>> {
  const { receivedAtMs, observedAtMs: atMs, unknown, outbound, placement } = placing;
  const deciding = decideEvents({ lookUpAll: false });
  const source = { readerId: null, antenna: null, rssiDbm: null, receivedAtMs };
  const shown = new Map<number, number>();
  const placed = new Map<number, Placed>();
  const assetIds: number[] = [];
  const tracks: AssetTrack[] = [];
  const rows = await lockPositions(tx, orgId, placing.assetIds);
  for (const row of rows) {
    if (placing.onlyFrom !== undefined && row.location_id !== placing.onlyFrom) {
      placed.set(row.asset_id, { from: row.location_id, staysAt: row.location_id });
      continue;
    }
    const position = positionOf(row);
    const isAhead = position !== undefined && position.lastSeenMs >= receivedAtMs;
    const track = beginTrack(orgId, row.asset_id, isAhead ? seenBefore(position, receivedAtMs) : position);
    const location = shownBefore(track, placing.observedAtMs);
    if (location !== undefined) shown.set(location, (shown.get(location) ?? 0) + 1);
    const from = row.location_id;
    const isLate = scan(track, placing, source);
    const stays = isLate && row.last_seen_ms !== null && from !== placing.locationId;
    placed.set(row.asset_id, { from, ...(stays && { staysAt: from }) });
    tracks.push(track);
    assetIds.push(row.asset_id);
  }
  if (placement) await recordPlacements(tx, orgId, { assetIds, atMs, userId: outbound.userId, placement });
  // Nobody has looked for what a file places.
  if (shown.size > 0 && !placement?.fileName) {
    const counted = [...shown].map(([shownLocationId, checks]) => ({ shownLocationId, checks }));
    await addChecks(tx, orgId, { locationId: placing.locationId, counted });
  }
  const { userId } = outbound;
  const carrying = { receivedAtMs, userId, isSeen: placement === undefined };
  const moved = rows[0]?.has_containers === true ? await moveContents(tx, tracks, carrying) : tracks;
  for (const track of moved) deciding.add(track);
  const decided = await deciding.finish(tx);
  await announceEvents(tx, outbound, { changes: decided.changes, unknown });
  await storeTracks(tx, decided, { unknown, readers: undefined, isRepeatable: true, isLast: false });
  return placed;
}

/**
 * A scan is compared with what the service showed one second before, since the person may have moved the asset in the
 * last second.
 */
const checkedBeforeMs = 1000;

/**
 * Returns where an asset was shown before a scan, 0 for no location. Returns undefined if this cannot show whether the
 * readers were right: the scan is late, or no reader has read the asset at its location since the last scan.
 */
function shownBefore({ state, readerId, lastSeenMs }: AssetTrack, scannedAtMs: number): number | undefined {
  const isLate = scannedAtMs <= lastSeenMs - scanAgeMaxMs;
  if (!state || readerId === null || isLate) return undefined;
  return state.sinceMs <= scannedAtMs - checkedBeforeMs ? state.location : (state.previous ?? undefined);
}

/** Adds a scan to a track. Returns whether it is late: it changes the history, not where the asset is. */
function scan(
  track: AssetTrack,
  { locationId: location, observedAtMs: atMs, labelUntilMs, locating }: HandPlacing,
  source: EventSource,
): boolean {
  const sighting = { beganAtMs: null, windowMs: 0, asBefore: false, source };
  const { lastSeenMs } = track;
  const isLate = atMs === lastSeenMs || atMs < lastSeenMs - scanAgeMaxMs;
  const judgment = isLate
    ? undefined
    : judgeScan(track.state, { location, atMs, ...(labelUntilMs !== undefined && { labelUntilMs }) });
  if (!judgment || judgment.late) {
    track.sightings.push({ ...sighting, atMs, location });
    const closing = closingSighting(
      track,
      { atMs, location, isSingle: true },
      { windowMs: 0, receivedAtMs: source.receivedAtMs },
    );
    if (closing) track.sightings.push(closing);
    return true;
  }
  locating.siteOf(track.orgId).learn(judgment);
  const from = track.state?.location ?? 0;
  track.state = judgment.state;
  track.lastSeenMs = Math.max(lastSeenMs, atMs);
  track.readerId = null;
  track.antenna = null;
  // If reads of fixed antennas were stored meanwhile, the move is after these reads.
  const movedAtMs = judgment.movedAtMs === null ? null : Math.max(atMs, newestKnownMs(track, atMs) + 1);
  track.movedAtMs = movedAtMs;
  if (movedAtMs !== null) {
    addMove(track, { from, to: location, decidedBy: 0, beganAtMs: null, seenAtMs: movedAtMs, atMs: movedAtMs });
  }
  track.sightings.push({ ...sighting, atMs: movedAtMs ?? atMs, location });
  return false;
}
