import type { LocationId } from '../locating/types.js';

/** An event of one asset: that it was seen, and where it was decided to be then. */
export type LoggedEvent = { atMs: number; location: LocationId };

/** What a read was reported by; a handheld has neither reader nor antenna. */
export type EventSource = {
  readerId: number | null;
  antenna: number | null;
  rssiDbm: number | null;
  receivedAtMs: number;
};

/** Something that may become an event. */
export type Sighting = {
  atMs: number;
  /** Where the asset was then; `asBefore`: wherever its event next before says, else the read's own location. */
  location: LocationId;
  asBefore: boolean;
  /** Where the sighting tells of a move that began earlier: the first read there. It counts unless an event followed it. */
  beganAtMs: number | null;
  /** A sighting at the same location is an event if the event next before is so old. */
  windowMs: number;
  source: EventSource;
};

export type NewEvent = LoggedEvent & { source: EventSource };

/** Part of an asset's history as it is stored. */
export type KnownEvent = LoggedEvent & {
  /** Whether the event next before it is among the known ones too, or there is none. */
  isAfterKnown: boolean;
};

/** What becomes of an asset's history. */
export type LogChange = {
  events: NewEvent[];
  /** The newest event, old or new. */
  newest: LoggedEvent | undefined;
  /** Visits that begin now, and begin no longer, in the order of time. */
  addedArrivals: LoggedEvent[];
  removedArrivals: number[];
  /** Since when the asset has been where its newest event says; undefined where that is not among the known events. */
  newestSinceMs: number | undefined;
};

type Entry = KnownEvent & { source: EventSource | undefined; isNew: boolean };

/**
 * Decides which sightings become events: where the location differs from that of the event next before in time, or that event
 * is older than the window. A second sighting in one millisecond is none.
 *
 * @param known events of the asset in the order of time: at least the one next before each sighting, and the one next after
 *   each that is not the newest
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

/** Whether a sighting is an event after the one next before it. */
function isEvent(
  previous: LoggedEvent | undefined,
  { atMs, location, windowMs }: { atMs: number; location: LocationId; windowMs: number },
): boolean {
  if (!previous) return true;
  if (previous.atMs === atMs) return false;
  return previous.location !== location || atMs - previous.atMs >= windowMs;
}

/**
 * As `logSightings` where all sightings are newer than every known event, which is nearly always: only the newest event has to
 * be known. Calls `onEvent` for each event, and tells it whether a visit begins with it.
 *
 * @returns the newest event, old or new
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

/** The place of the last entry at or before an instant; -1 where there is none. Sightings mostly come at the end. */
function indexBefore(entries: readonly Entry[], atMs: number): number {
  let index = entries.length - 1;
  while (index >= 0 && (entries[index] as Entry).atMs > atMs) index -= 1;
  return index;
}

function changeOf(entries: readonly Entry[], known: readonly KnownEvent[]): LogChange {
  const events: NewEvent[] = [];
  const addedArrivals: LoggedEvent[] = [];
  const removedArrivals: number[] = [];
  /** The location of the entry before as it was without the new ones. */
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
