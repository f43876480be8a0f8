import type { Knowledge, Reported } from './knowledge.js';
import { readers } from './readers.js';

/** How a reader's reads decide where an asset is: together, or each read by itself. */
export type LocationRule = 'evidence' | 'newest';

export const locationRules: readonly LocationRule[] = ['evidence', 'newest'];

/**
 * Why an asset within reach of a reader is reported at another location. All causes except the last are simulated on
 * purpose; an error that none of them explains is a wrong decision of the service.
 */
export const errorCauses = [
  'no read there yet',
  'reader offline',
  'only one or two reads there yet',
  'neighboring antenna reads it as strongly',
  'later read by a neighboring antenna',
  'wrong clock',
  'unexplained',
] as const;

export type ErrorCause = (typeof errorCauses)[number];

/**
 * Reads with times closer than this may have been received in the opposite order: in real time, and in time of the day.
 */
const simultaneousMs = 1000;
const simultaneousDayMs = 12_000;
/** Reads from which on an asset should be found at a new location. */
const sufficientReads = 3;
/** A neighboring antenna reads a tag as strongly if its mean level is at most this far below the own antenna's. */
const similarLevelDb = 6;

/** Returns the cause of a wrong report, by the rule under which the service decided. */
export function explainError(rule: LocationRule, known: Knowledge, reported: Reported | undefined): ErrorCause {
  return rule === 'newest' ? explainNewest(known, reported) : explainEvidence(known, reported);
}

/**
 * With the newest rule the report must be the zone of the read with the latest time: the reader's own, or the true one once
 * the service has learned how wrong the reader's clock is.
 */
function explainNewest(known: Knowledge, reported: Reported | undefined): ErrorCause {
  const newest = known.newest === undefined ? undefined : known.latestReads.get(known.newest);
  const latest = latestReadIn(known, reported);
  const isNewest = latest && newest ? newest.stampMs - latest.stampMs <= simultaneousMs : latest === newest;
  const isTrulyNewest = latest && known.newestAtMs - latest.atMs <= simultaneousDayMs;
  if (!isNewest && !isTrulyNewest) return 'unexplained';
  if (known.ownOrder < 0) return unread(known);
  if (!latest) return 'unexplained';
  return latest.isStray && latest.order > known.ownOrder ? 'later read by a neighboring antenna' : 'wrong clock';
}

/**
 * With the rule `evidence`, the report may differ from the truth only while there is little evidence, or if it is
 * ambiguous.
 */
function explainEvidence(known: Knowledge, reported: Reported | undefined): ErrorCause {
  if (known.ownOrder < 0) return reported && !latestReadIn(known, reported) ? 'unexplained' : unread(known);
  if (!reported?.zone || !latestReadIn(known, reported)) return 'unexplained';
  const own = known.levels.get(known.zone ?? '');
  const other = known.levels.get(reported.zone);
  if (own && other && meanOf(other) >= meanOf(own) - similarLevelDb) return 'neighboring antenna reads it as strongly';
  if (known.newest !== known.zone && (isClockWrongIn(known.zone) || isClockWrongIn(reported.zone)))
    return 'wrong clock';
  return own && own.reads < sufficientReads ? 'only one or two reads there yet' : 'unexplained';
}

function unread({ isHeld }: Knowledge): ErrorCause {
  return isHeld ? 'reader offline' : 'no read there yet';
}

function latestReadIn({ latestReads }: Knowledge, reported: Reported | undefined) {
  return reported?.zone ? latestReads.get(reported.zone) : undefined;
}

function meanOf({ reads, sumDb }: { reads: number; sumDb: number }): number {
  return sumDb / reads;
}

function isClockWrongIn(zone: string | null): boolean {
  return readers.some(({ clockFault, antennas }) => clockFault && antennas.some((antenna) => antenna.zone === zone));
}
