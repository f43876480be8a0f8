import type { LocationId } from '../../locating/types.js';

/** An event of one asset: it was seen at this location. */
export type LoggedEvent = { atMs: number; location: LocationId };

/** The source of a read; a handheld has neither reader nor antenna. */
export type EventSource = {
  readerId: number | null;
  antenna: number | null;
  rssiDbm: number | null;
  receivedAtMs: number;
};

/** A read or scan that may become an event. */
export type Sighting = {
  atMs: number;
  /** Where the asset was. `asBefore` means the location of the preceding event, or else the location of the read itself. */
  location: LocationId;
  asBefore: boolean;
  /**
   * For a sighting that proves an earlier move: the first read at the new location. Used unless an event followed that
   * read.
   */
  beganAtMs: number | null;
  /** A sighting at the same location becomes an event if the preceding event is older than this. */
  windowMs: number;
  source: EventSource;
};

export type NewEvent = LoggedEvent & { source: EventSource };

/** A stored event of an asset. */
export type KnownEvent = LoggedEvent & {
  /** Whether the preceding event is also known, or there is none. */
  isAfterKnown: boolean;
};

/** The changes to an asset's history. */
export type LogChange = {
  events: NewEvent[];
  /** The newest event, stored or new. */
  newest: LoggedEvent | undefined;
  /** Visits that now begin, and visits that no longer begin, oldest first. */
  addedArrivals: LoggedEvent[];
  removedArrivals: number[];
  /** When the asset arrived at the location of its newest event; undefined if it arrived before the known events. */
  newestSinceMs: number | undefined;
};

type Entry = KnownEvent & { source: EventSource | undefined; isNew: boolean };

/**
 * Decides which sightings become events: a sighting whose location differs from the location of the preceding event, or
 * whose preceding event is older than the window. If two sightings are in the same millisecond, only the first counts.
 *
 * @param known events of the asset, oldest first: at least the event before each sighting, and the event after each
 * sighting that is not the newest
 * @param sightings in the order in which they are judged
 */
export function logSightings(known: readonly KnownEvent[], sightings: readonly Sighting[]): LogChange {
  const entries: Entry[] = known.map(({ atMs, location, isAfterKnown }) => ({
    atMs,
    location,
    source: undefined,
    isNew: false,
    isAfterKnown,
  }));
  for (const sighting of sightings) enter(entries, sighting);
  return changeOf(entries, known);
}

/** Returns whether a sighting becomes an event, given the preceding event. */
function isEvent(
  previous: LoggedEvent | undefined,
  { atMs, location, windowMs }: { atMs: number; location: LocationId; windowMs: number },
): boolean {
  if (!previous) return true;
  if (previous.atMs === atMs) return false;
  return previous.location !== location || atMs - previous.atMs >= windowMs;
}

/**
 * Does the same as `logSightings` if all sightings are newer than every known event, which is the usual case. Needs
 * only the newest event. Calls `onEvent` for each event with whether a visit begins with it.
 *
 * @returns the newest event, stored or new
 */
export function appendSightings(
  newest: LoggedEvent | undefined,
  sightings: readonly Sighting[],
  onEvent: (event: NewEvent, isArrival: boolean) => void,
): LoggedEvent | undefined {
  let last = newest;
  for (const { atMs: seenMs, beganAtMs, asBefore, location: seenAt, windowMs, source } of sightings) {
    const isBackdated =
      beganAtMs !== null && beganAtMs < seenMs && beganAtMs > (last?.atMs ?? Number.NEGATIVE_INFINITY);
    const atMs = isBackdated ? beganAtMs : seenMs;
    const location = asBefore && last ? last.location : seenAt;
    if ((last && atMs < last.atMs) || !isEvent(last, { atMs, location, windowMs })) continue;
    const event = { atMs, location, source };
    onEvent(event, last?.location !== location);
    last = event;
  }
  return last;
}

function enter(entries: Entry[], sighting: Sighting): void {
  const { beganAtMs, windowMs, source } = sighting;
  let { atMs } = sighting;
  let before = indexBefore(entries, atMs);
  if (beganAtMs !== null && beganAtMs < atMs && (entries[before]?.atMs ?? Number.NEGATIVE_INFINITY) < beganAtMs) {
    atMs = beganAtMs;
  }
  const previous = entries[before];
  const location = sighting.asBefore && previous ? previous.location : sighting.location;
  if (!isEvent(previous, { atMs, location, windowMs })) return;
  before += 1;
  entries.splice(before, 0, { atMs, location, source, isNew: true, isAfterKnown: true });
}

/**
 * Returns the index of the last entry at or before an instant, or -1. Searches from the end, where most sightings
 * belong.
 */
function indexBefore(entries: readonly Entry[], atMs: number): number {
  let index = entries.length - 1;
  while (index >= 0 && (entries[index] as Entry).atMs > atMs) index -= 1;
  return index;
}

function changeOf(entries: readonly Entry[], known: readonly KnownEvent[]): LogChange {
  const events: NewEvent[] = [];
  const addedArrivals: LoggedEvent[] = [];
  const removedArrivals: number[] = [];
  /** The preceding entry without the new entries. */
  let previousKnown: Entry | undefined;
  let previous: Entry | undefined;
  for (const entry of entries) {
    const isArrival = previous === undefined ? entry.isAfterKnown : previous.location !== entry.location;
    if (entry.isNew) {
      events.push({ atMs: entry.atMs, location: entry.location, source: entry.source as EventSource });
      if (isArrival) addedArrivals.push({ atMs: entry.atMs, location: entry.location });
    } else {
      if (previous?.isNew) {
        const wasArrival = previousKnown === undefined || previousKnown.location !== entry.location;
        if (isArrival && !wasArrival) addedArrivals.push({ atMs: entry.atMs, location: entry.location });
        if (!isArrival && wasArrival) removedArrivals.push(entry.atMs);
      }
      previousKnown = entry;
    }
    previous = entry;
  }
  const newest = entries.at(-1);
  return {
    events,
    newest: newest && { atMs: newest.atMs, location: newest.location },
    addedArrivals,
    removedArrivals,
    newestSinceMs: known.length === 0 || events.length > 0 ? newestSince(entries) : undefined,
  };
}

function newestSince(entries: readonly Entry[]): number | undefined {
  for (let index = entries.length - 1; index >= 0; index -= 1) {
    const entry = entries[index] as Entry;
    const before = entries[index - 1];
    if (!entry.isAfterKnown) return undefined;
    if (!before || before.location !== entry.location) return entry.atMs;
  }
  return undefined;
}
