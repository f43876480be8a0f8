import { encodeState } from '../../locating/index.js';
import type { AssetState, LocationId } from '../../locating/types.js';
import { dateMoves, type DecidedMove, reportMoves } from './moves.js';
import {
  appendSightings,
  type EventSource,
  type KnownEvent,
  type LogChange,
  type LoggedEvent,
  logSightings,
  type Sighting,
} from './event-log.js';
import type { HistorySpan, VisitCorrection } from './history-queries.js';
import type { LockedPosition } from './resolve-batch.js';
import { addPosition, type ScanChanges } from './scan-changes.js';

/** What a transaction learns about one asset. Starts with the locked position and collects what reads and scans add. */
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
  /** When the location last changed; null if it did not change. */
  movedAtMs: number | null;
  sightings: Sighting[];
  /** Late sightings within the present visit: they become events without a lookup of the history. */
  lateSightings: { atMs: number; location: LocationId; source: EventSource }[] | undefined;
  /** The changes of the decided location, oldest first. Late reads that only correct the history do not count. */
  moves: DecidedMove[] | undefined;
  /** When the newest visit began, if that was looked up. */
  newestVisitMs: number | undefined;
  /** Whether sightings added another visit to the past, so that the location of a late sighting has to be looked up. */
  isPastRewritten: boolean;
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
    lateSightings: undefined,
    moves: undefined,
    newestVisitMs: undefined,
    isPastRewritten: false,
  };
}

/** Reads can be 5 s ahead. What is further ahead of the present was stored while a clock was ahead. */
export const aheadMs = 10_000;

/**
 * Returns the time of the newest event that is known for a read or scan at an instant, before this batch or of its
 * sightings; minus infinity for none. Events that were stored while a clock was ahead stay in the future.
 */
export function newestKnownMs({ position, sightings }: AssetTrack, atMs: number): number {
  const stored = position?.lastEventMs ?? Number.NEGATIVE_INFINITY;
  const last = sightings.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
  return Math.max(stored > atMs + aheadMs ? Number.NEGATIVE_INFINITY : stored, last);
}

/** Adds a visit to the past of a track. Every later late sighting is then looked up. */
export function rewritePast(track: AssetTrack): void {
  track.isPastRewritten = true;
  for (const { atMs, location, source } of track.lateSightings ?? []) {
    track.sightings.push({ atMs, location, asBefore: true, beganAtMs: null, windowMs: 0, source });
  }
  track.lateSightings = undefined;
}

/**
 * Returns the sighting that ends a visit just added to the past: after that visit the asset was seen at its present
 * location, which was not an event at that time. Returns none if an event already records this sighting.
 *
 * Also returns none if a single read or scan is late (`isSingle`) and a single read decided the position. If single
 * reads decide, each read is compared with the event before it when it arrives, and not again. The newest event and the
 * open visit then have the location of the late read, and differ from the position until the next event.
 */
export function closingSighting(
  { position, state, lastSeenMs, readerId, antenna }: AssetTrack,
  late: { atMs: number; location: LocationId; isSingle: boolean },
  { windowMs, receivedAtMs }: { windowMs: number; receivedAtMs: number },
): Sighting | undefined {
  if (!state || late.location === state.location) return undefined;
  if (late.isSingle && state.settledMs === lastSeenMs) return undefined;
  if (late.atMs <= (position?.lastEventMs ?? Number.NEGATIVE_INFINITY) || late.atMs >= lastSeenMs) return undefined;
  const source = { readerId, antenna, rssiDbm: null, receivedAtMs };
  return { atMs: lastSeenMs, location: state.location, asBefore: false, beganAtMs: null, windowMs, source };
}

/**
 * Returns whether the asset may have moved to the location of its newest event, which a late read added. The visit
 * there has then begun already.
 */
export function needsNewestVisit({ position, movedAtMs, lastSeenMs }: AssetTrack): boolean {
  if (movedAtMs === null || !position || position.lastEventMs === null) return false;
  if (position.lastEventMs > lastSeenMs + aheadMs) return false;
  return position.location !== position.lastEventLocation;
}

const noSpans: readonly HistorySpan[] = [];

/**
 * Sightings further apart than this are looked up separately, so that a late sighting does not load the history of a
 * day.
 */
const spanGapMs = 120_000;

/** Returns the parts of the history that a track needs to distinguish sightings from repetitions. */
export function spansOf(track: AssetTrack, { everything }: { everything: boolean }): readonly HistorySpan[] {
  const { orgId, assetId, position, sightings } = track;
  if (!everything && !position) return noSpans;
  const lastEventMs = everything ? null : (position?.lastEventMs ?? null);
  if (
    lastEventMs !== null &&
    sightings.every(({ atMs, beganAtMs }) => Math.min(atMs, beganAtMs ?? atMs) > lastEventMs)
  ) {
    return noSpans;
  }
  const times = sightings
    .flatMap(({ atMs, beganAtMs }) => (beganAtMs !== null && beganAtMs < atMs ? [beganAtMs, atMs] : [atMs]))
    .filter((atMs) => lastEventMs === null || atMs <= lastEventMs);
  if (times.length === 0) return noSpans;
  // If the newest event is unknown, it is looked up as well.
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

/** Adds the changes of a track to `changes`, and returns the visits that have to be corrected afterwards. */
export function addChanges(
  track: AssetTrack,
  history: readonly KnownEvent[] | undefined,
  changes: ScanChanges,
): VisitCorrection | undefined {
  if (!track.state) return undefined;
  const { orgId, assetId, lateSightings } = track;
  for (const { atMs, location, source } of lateSightings ?? []) {
    changes.events.push({ orgId, assetId, atMs, location, source });
  }
  return history ? addChangesAmidHistory(track, history, changes) : addChangesAtTheEnd(track, changes);
}

/** Adds the changes of a track whose sightings are all newer than the newest event. */
function addChangesAtTheEnd(track: AssetTrack, changes: ScanChanges): undefined {
  const { orgId, assetId, position, moves } = track;
  const known = position && newestKnown(position);
  let open: LoggedEvent | undefined;
  const newest = appendSightings(known, track.sightings, ({ atMs, location, source }, isArrival) => {
    changes.events.push({ orgId, assetId, atMs, location, source });
    if (!isArrival) return;
    if (moves) dateMoves(moves, { atMs, location });
    if (open) {
      const ended = { arrivedAtMs: open.atMs, leftAtMs: atMs, lastSeenMs: open.atMs, location: open.location };
      changes.visits.push({ orgId, assetId, ...ended });
    } else if (position) {
      const lastSeenMs = Math.min(atMs, Math.max(position.lastSeenMs, position.lastEventMs ?? 0));
      changes.visits.push({ orgId, assetId, ...openVisit, leftAtMs: atMs, lastSeenMs });
    }
    open = { atMs, location };
  });
  reportMoves(track, changes);
  addPositionChange(track, { newest, newestSinceMs: open?.atMs, changes }, { open });
}

/** Refers to the visit that is open before the change. */
const openVisit = { arrivedAtMs: null, leftAtMs: null, lastSeenMs: null, location: 0 } as const;

/** Adds the changes of a track whose sightings are inserted between events that were looked up. */
function addChangesAmidHistory(
  track: AssetTrack,
  history: readonly KnownEvent[],
  changes: ScanChanges,
): VisitCorrection | undefined {
  const { orgId, assetId, position, moves } = track;
  const change = logSightings(knownEvents(position, history), track.sightings);
  for (const { atMs, location, source } of change.events) {
    changes.events.push({ orgId, assetId, atMs, location, source });
  }
  const newest = change.newest ?? (position && newestKnown(position));
  const { addedArrivals: added, removedArrivals: removed } = change;
  if (moves) for (const arrival of added) dateMoves(moves, arrival);
  reportMoves(track, changes);
  const newestSinceMs = change.newestSinceMs ?? newestArrivalOf(change, track);
  const isCorrected = added.length + removed.length > 0;
  addPositionChange(track, { newest, newestSinceMs, changes }, { isCorrected });
  return isCorrected ? { orgId, assetId, added, removed } : undefined;
}

/**
 * Returns when the newest visit begins, if this has changed: a past visit that was inserted into it splits it in two,
 * and a late sighting shortly before its arrival makes it begin earlier.
 */
function newestArrivalOf(
  { newest, addedArrivals, removedArrivals }: LogChange,
  { position, newestVisitMs }: AssetTrack,
): number | undefined {
  const sinceMs = newestVisitMs ?? position?.sinceMs ?? Number.NEGATIVE_INFINITY;
  const last = addedArrivals.at(-1);
  if (!last || last.location !== newest?.location) return undefined;
  return last.atMs > sinceMs || removedArrivals.includes(sinceMs) ? last.atMs : undefined;
}

function newestKnown({ lastEventMs, lastEventLocation }: LockedPosition): LoggedEvent | undefined {
  return lastEventMs === null ? undefined : { atMs: lastEventMs, location: lastEventLocation };
}

/** Returns the known events: the events that were looked up, and the newest event. */
function knownEvents(position: LockedPosition | undefined, history: readonly KnownEvent[]): readonly KnownEvent[] {
  const newest = position && newestKnown(position);
  if (!newest || history.some(({ atMs }) => atMs === newest.atMs)) return history;
  return [...history, { ...newest, isAfterKnown: false }].sort((one, other) => one.atMs - other.atMs);
}

type KnownNewest = { newest: LoggedEvent | undefined; newestSinceMs: number | undefined; changes: ScanChanges };

/** The beginning of the visit that is open after a change, if it began with it, or whether stored visits are corrected. */
type Visited = { open?: LoggedEvent | undefined; isCorrected?: boolean };

function addPositionChange(track: AssetTrack, found: KnownNewest, visited: Visited): void {
  const { orgId, assetId, position, state, lastSeenMs, readerId, antenna } = track;
  if (!state) return;
  const { location } = state;
  const sinceMs = sinceOf(track, state, found);
  keepOpenVisit(track, { location, atMs: sinceMs }, { ...visited, changes: found.changes });
  const lastEventMs = found.newest?.atMs ?? null;
  const lastEventLocation = found.newest?.location ?? 0;
  const isSame =
    position !== undefined &&
    position.location === location &&
    position.sinceMs === sinceMs &&
    position.lastSeenMs === lastSeenMs &&
    position.state === state &&
    position.lastEventMs === lastEventMs;
  if (isSame) return;
  addPosition(found.changes, {
    orgId,
    assetId,
    isKnown: position !== undefined,
    location,
    sinceMs,
    lastSeenMs,
    readerId,
    antenna,
    lastEventMs,
    lastEventLocation,
    locating: encodeState(state),
    isAnnounced: position?.lastSeenMs !== lastSeenMs || position.location !== location,
  });
}

/**
 * Stores the open visit if the position will not be it, or if stored visits are corrected: the present one if it began
 * with this change, otherwise the one that was open before.
 */
function keepOpenVisit(
  { orgId, assetId, position }: AssetTrack,
  present: LoggedEvent,
  { open, isCorrected, changes }: Visited & { changes: ScanChanges },
): void {
  const { atMs, location } = open ?? { atMs: position?.storedSinceMs, location: position?.location };
  if (!isCorrected && atMs === present.atMs && location === present.location) return;
  if (open) changes.visits.push({ orgId, assetId, ...openVisit, arrivedAtMs: open.atMs, location: open.location });
  else if (position) changes.visits.push({ orgId, assetId, ...openVisit });
}

function sinceOf(
  { position, movedAtMs, newestVisitMs }: AssetTrack,
  { location, sinceMs }: AssetState,
  { newest, newestSinceMs }: KnownNewest,
): number {
  if (newestSinceMs !== undefined && newest?.location === location) return newestSinceMs;
  if (position && position.location === location && movedAtMs === null) return position.sinceMs;
  if (newestVisitMs !== undefined && newest?.location === location) return newestVisitMs;
  return movedAtMs ?? sinceMs;
}
