import { type AssetState, encodeState } from '../locating/index.js';
import type { LocationId } from '../locating/types.js';
import { type EventSource, type KnownEvent, type LogChange, logSightings, type Sighting } from './event-log.js';
import type { HistorySpan, VisitCorrection } from './history-queries.js';
import type { LockedPosition } from './resolved-batch.js';
import { type AssetEvent, type ScanChanges, slotOf } from './storage-queries.js';

/** What a transaction learns about one asset: it begins with the locked position and gathers what reads and scans say. */
export type AssetTrack = {
  orgId: number;
  assetId: number;
  /** Undefined for an asset that was never seen before. */
  position: LockedPosition | undefined;
  state: AssetState | undefined;
  /** Minus infinity for an asset that was never seen before. */
  lastSeenMs: number;
  readerId: number | null;
  antenna: number | null;
  /** When the location changed last; null where it did not. */
  movedAtMs: number | null;
  sightings: Sighting[];
  /** Events that need no look into the history: late sightings within the visit that lasts. */
  lateSightings: { atMs: number; location: LocationId; source: EventSource }[];
};

export function beginTrack(orgId: number, assetId: number, position: LockedPosition | undefined): AssetTrack {
  return {
    orgId,
    assetId,
    position,
    state: position?.state,
    lastSeenMs: position?.lastSeenMs ?? Number.NEGATIVE_INFINITY,
    readerId: position?.readerId ?? null,
    antenna: position?.antenna ?? null,
    movedAtMs: null,
    sightings: [],
    lateSightings: [],
  };
}

/**
 * What ends a visit of the past that has just been put into the history: the asset was seen where it is now after that, but
 * that was no event then. None where an event says so already, or each read decides by itself.
 */
export function closingSighting(
  { position, state, lastSeenMs, readerId, antenna }: AssetTrack,
  late: { atMs: number; location: LocationId },
  { windowMs, receivedAtMs }: { windowMs: number; receivedAtMs: number },
): Sighting | undefined {
  if (!state || late.location === state.location || state.settledMs === lastSeenMs) return undefined;
  if (late.atMs <= (position?.lastEventMs ?? Number.NEGATIVE_INFINITY) || late.atMs >= lastSeenMs) return undefined;
  const source = { readerId, antenna, rssiDbm: null, receivedAtMs };
  return { atMs: lastSeenMs, location: state.location, asBefore: false, beganAtMs: null, windowMs, source };
}

/** Sightings further apart are looked up apart, so that a late one does not fetch the history of a day. */
const spanGapMs = 120_000;

/** The stretches of history that a track has to know before its sightings can be told from repetitions. */
export function spansOf(track: AssetTrack, { everything }: { everything: boolean }): HistorySpan[] {
  const { orgId, assetId, position, sightings } = track;
  if (!everything && !position) return [];
  const lastEventMs = everything ? null : (position?.lastEventMs ?? null);
  const times = sightings
    .flatMap(({ atMs, beganAtMs }) => (beganAtMs !== null && beganAtMs < atMs ? [beganAtMs, atMs] : [atMs]))
    .filter((atMs) => lastEventMs === null || atMs <= lastEventMs);
  if (times.length === 0) return [];
  // Where the newest event is not known it is asked for as well.
  if (lastEventMs === null) times.push(Math.max(...times, track.lastSeenMs));
  times.sort((one, other) => one - other);
  const spans: HistorySpan[] = [];
  let span: HistorySpan | undefined;
  for (const atMs of times) {
    if (span && atMs - span.untilMs <= spanGapMs) span.untilMs = atMs;
    else spans.push((span = { orgId, assetId, fromMs: atMs, untilMs: atMs }));
  }
  return spans;
}

/** What is to be stored of a track, and which visits are to be corrected after that. */
export function finishTrack(
  track: AssetTrack,
  history: readonly KnownEvent[] | undefined,
  changes: ScanChanges,
): VisitCorrection | undefined {
  const { orgId, assetId, position, state } = track;
  if (!state) return undefined;
  const change = logSightings(knownEvents(position, history), track.sightings);
  for (const event of change.events) changes.events.push(eventOf(track, event));
  for (const event of track.lateSightings) changes.events.push(eventOf(track, event));
  addPosition(track, state, { change, changes });
  const { addedArrivals: added, removedArrivals: removed } = change;
  if (added.length + removed.length === 0) return undefined;
  if (history) return { orgId, assetId, added, removed };
  for (const [index, { atMs, location }] of added.entries()) {
    const leftAtMs = added[index + 1]?.atMs ?? null;
    changes.visitStarts.push({ orgId, assetId, arrivedAtMs: atMs, leftAtMs, location });
  }
  const [first] = added;
  if (position && first) {
    const lastSeenMs = Math.min(first.atMs, Math.max(position.lastSeenMs, position.lastEventMs ?? 0));
    changes.visitEnds.push({ orgId, assetId, leftAtMs: first.atMs, lastSeenMs });
  }
  return undefined;
}

function eventOf(
  { orgId, assetId }: AssetTrack,
  { atMs, location, source }: Omit<AssetEvent, 'orgId' | 'assetId'>,
): AssetEvent {
  return { orgId, assetId, atMs, location, source };
}

/** What is known of the history: what was looked up, and the newest event. */
function knownEvents(
  position: LockedPosition | undefined,
  history: readonly KnownEvent[] | undefined,
): readonly KnownEvent[] {
  if (!position || position.lastEventMs === null) return history ?? [];
  const { lastEventMs: atMs, lastEventLocation: location } = position;
  if (!history) return [{ atMs, location, isAfterKnown: false }];
  if (history.some((event) => event.atMs === atMs)) return history;
  return [...history, { atMs, location, isAfterKnown: false }].sort((one, other) => one.atMs - other.atMs);
}

function addPosition(
  track: AssetTrack,
  state: AssetState,
  { change, changes }: { change: LogChange; changes: ScanChanges },
): void {
  const { orgId, assetId, position, lastSeenMs, readerId, antenna } = track;
  const { location } = state;
  const sinceMs = sinceOf(track, state, change);
  const locating = encodeState(state);
  const newest = change.newest ?? {
    atMs: position?.lastEventMs ?? null,
    location: position?.lastEventLocation ?? 0,
  };
  const isSameList =
    position !== undefined &&
    position.location === location &&
    position.sinceMs === sinceMs &&
    slotOf(position.lastSeenMs) === slotOf(lastSeenMs);
  const isSame =
    isSameList &&
    position.lastSeenMs === lastSeenMs &&
    position.locating === locating &&
    position.lastEventMs === newest.atMs;
  if (isSame) return;
  changes.positions.push({
    orgId,
    assetId,
    rowId: position?.rowId ?? null,
    location,
    sinceMs,
    lastSeenMs,
    readerId,
    antenna,
    lastEventMs: newest.atMs,
    lastEventLocation: newest.location,
    locating,
    isRelisted: !isSameList,
    isAnnounced: position?.lastSeenMs !== lastSeenMs || position.location !== location,
  });
}

function sinceOf({ position, movedAtMs }: AssetTrack, { location, sinceMs }: AssetState, change: LogChange): number {
  if (change.newestSinceMs !== undefined && change.newest?.location === location) return change.newestSinceMs;
  if (position && position.location === location && movedAtMs === null) return position.sinceMs;
  return movedAtMs ?? sinceMs;
}
