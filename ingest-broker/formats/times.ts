import { type Frame, isFrame } from './json-frames.js';
import { instantOf } from './values.js';

/** Names that devices use for the time of a read, the most specific first; in any case, with any separators. */
const usualNames = ['timestamp', 'time_of_read', 'event_time', 'observed_at', 'read_at', 'time', 'ts', 'tm'].map(plain);
/** They may go on, as in `lastSeenTimestamp`. */
const usualBeginnings = ['last_seen', 'first_seen'].map(plain);
const nameLengthMax = 40;
const cachedMax = 2000;

const cache = new Map<string, number | null>();

/** Returns how specific the name of a time is, 0 being the most; undefined for a name of anything else. */
export function timeRankOf(name: string): number | undefined {
  const known = cache.get(name);
  if (known !== undefined) return known ?? undefined;
  const rank = name.length > nameLengthMax ? undefined : rankOfPlain(plain(name));
  if (cache.size >= cachedMax) cache.clear();
  cache.set(name, rank ?? null);
  return rank;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]+/g, '');
}

function rankOfPlain(name: string): number | undefined {
  const exact = usualNames.indexOf(name);
  if (exact !== -1) return exact;
  const beginning = usualBeginnings.findIndex((one) => name.startsWith(one));
  return beginning === -1 ? undefined : usualNames.length + beginning;
}

/** The time of a read that its format has no field for. */
export type UsualTime = {
  /** Epoch milliseconds; null if there is none. */
  ms: number | null;
  /** A field that has a time, but no instant. */
  unused?: string;
};

/** Looks for a time in fields of usual names: in the object of the read, then in the objects around it. */
export function usualTimeIn(objects: readonly unknown[]): UsualTime {
  let unused: string | undefined;
  for (const object of objects) {
    const found = isFrame(object) ? timeIn(object) : undefined;
    if (found && found.ms !== null) return found;
    unused ??= found?.unused;
  }
  return { ms: null, ...(unused !== undefined && { unused }) };
}

function timeIn(object: Frame): UsualTime | undefined {
  let best: UsualTime | undefined;
  let bestRank = Number.POSITIVE_INFINITY;
  for (const key of Object.keys(object)) {
    const rank = timeRankOf(key);
    if (rank === undefined || (best?.ms !== undefined && best.ms !== null && rank >= bestRank)) continue;
    const ms = instantOf(object[key]);
    if (ms === undefined || (ms === null && best)) continue;
    best = ms === null ? { ms, unused: `${key} ${JSON.stringify(object[key])}` } : { ms };
    bestRank = rank;
  }
  return best;
}
