import {
  type AntennaKey,
  judge,
  type Judgment,
  type LocatingRead,
  type LocationId,
  type Site,
} from '../../locating/index.js';
import { type AssetTrack, closingSighting, newestKnownMs, rewritePast } from './asset-track.js';
import type { BatchRead } from './batch.js';
import { addMove } from './moves.js';
import type { BatchAntenna, ReaderSettings } from './resolve-batch.js';

/** An antenna of the batch with all settings that judging its reads needs. */
export type ReadingAntenna = BatchAntenna & {
  key: AntennaKey;
  port: number;
  readerId: number;
  orgId: number;
  reader: ReaderSettings;
};

/** A read of an asset with its effective time. */
export type TimedRead = {
  read: BatchRead;
  antenna: ReadingAntenna;
  tagId: number;
  isBle: boolean;
  atMs: number;
  /** Whether it is a further read of the asset in the same millisecond, which may be evidence but is never an event. */
  isAgain: boolean;
};

const sourceOf = ({ read, antenna }: TimedRead) => ({
  readerId: antenna.readerId,
  antenna: antenna.port,
  rssiDbm: read.rssiDbm,
  receivedAtMs: read.receivedAtMs,
});

/** Judges the reads of one asset in the order of their times, and adds the results to its track. */
export function judgeReads(track: AssetTrack, reads: TimedRead[], context: Judging): void {
  let previousMs = Number.NaN;
  if (reads.length > 1) reads.sort((one, other) => one.atMs - other.atMs);
  for (const read of reads) {
    read.isAgain = read.atMs === previousMs || read.atMs === track.lastSeenMs;
    judgeRead(track, read, context);
    previousMs = read.atMs;
  }
}

/** What a judgment depends on, besides the asset. If its reads were judged before, nothing is learned from them again. */
export type Judging = { site: Site; hasLearned: boolean };

/** Returns a read as the decision needs it. */
export function locatingRead({ read, antenna, tagId, isBle, atMs }: Omit<TimedRead, 'isAgain'>): LocatingRead {
  const { key, location, kind, reader } = antenna;
  return { antenna: key, location, kind, rule: reader.rule, tag: tagId, isBle, rssiDbm: read.rssiDbm, atMs };
}

function judgeRead(track: AssetTrack, timed: TimedRead, { site, hasLearned }: Judging): void {
  const { antenna, atMs, isAgain } = timed;
  const judgment = judge(track.state, locatingRead(timed), site.surroundings);
  if (!hasLearned) site.learn(judgment);
  const lastSeenMs = track.lastSeenMs;
  const before = track.state;
  track.state = judgment.state;
  if (atMs > track.lastSeenMs) {
    track.lastSeenMs = atMs;
    if (antenna.location === judgment.state.location) {
      track.readerId = antenna.readerId;
      track.antenna = antenna.port;
    }
  }
  if (judgment.movedAtMs !== null) {
    addMoveOf(track, timed, { judgment, from: before?.location ?? 0 });
  } else if (judgment.late) addLateRead(track, timed, judgment);
  else if (!isAgain) addSighting(track, timed, { location: judgment.state.location, isLate: atMs <= lastSeenMs });
}

/** Records that the location changed with a read. */
export function addMoveOf(
  track: AssetTrack,
  timed: TimedRead,
  { judgment, from }: { judgment: Judgment; from: LocationId },
): void {
  const newestMs = newestKnownMs(track, timed.atMs);
  // The deciding read can arrive late. Events that were stored meanwhile stay before it.
  const notBeforeMs = Math.max(timed.atMs, newestMs + 1);
  const beganAtMs = judgment.movedAtMs;
  const { windowMs } = timed.antenna.reader;
  const { location, decidedBy } = judgment.state;
  track.sightings.push({ atMs: notBeforeMs, location, asBefore: false, beganAtMs, windowMs, source: sourceOf(timed) });
  const atMs = beganAtMs !== null && beganAtMs > newestMs ? beganAtMs : notBeforeMs;
  track.movedAtMs = atMs;
  addMove(track, { from, to: location, decidedBy, beganAtMs, seenAtMs: notBeforeMs, atMs });
}

/** Records reads that arrived too late for the position, but show where the asset was at that time. */
export function addLateRead(track: AssetTrack, timed: TimedRead, { late }: Judgment): void {
  if (!late) return;
  const { windowMs, rule } = timed.antenna.reader;
  const source = sourceOf(timed);
  const see = (atMs: number) =>
    track.sightings.push({ atMs, location: late.location, asBefore: false, beganAtMs: null, windowMs, source });
  rewritePast(track);
  see(late.atMs);
  const isSingle = rule === 'newest';
  if (!isSingle && late.atMs < timed.atMs) see(timed.atMs);
  const closing = closingSighting(track, { ...late, isSingle }, { windowMs, receivedAtMs: source.receivedAtMs });
  if (closing) track.sightings.push(closing);
}

/** Records that an asset was seen where it is, or was. */
export function addSighting(
  track: AssetTrack,
  timed: TimedRead,
  { location: decided, isLate }: { location: LocationId; isLate: boolean },
): void {
  const { atMs, antenna } = timed;
  const { windowMs } = antenna.reader;
  const source = sourceOf(timed);
  // A read at another location may be the first read of a move that is not decided yet, and would then date the move.
  if (!isLate && windowMs > 0 && antenna.location !== decided) return;
  if (!isLate) {
    track.sightings.push({ atMs, location: decided, asBefore: false, beganAtMs: null, windowMs, source });
    return;
  }
  const { position } = track;
  const lastEventMs = position?.lastEventMs ?? null;
  if (position && lastEventMs !== null && atMs <= lastEventMs) {
    // All newer sightings are events already. A single late read is little evidence of where the asset was.
    if (windowMs > 0) return;
    const isWithinVisit = position.lastEventLocation === position.location && atMs >= position.sinceMs;
    if (isWithinVisit && track.movedAtMs === null && !track.isPastRewritten) {
      // The sighting has the location of the surrounding events.
      (track.lateSightings ??= []).push({ atMs, location: position.location, source });
      return;
    }
  }
  track.sightings.push({ atMs, location: antenna.location, asBefore: true, beganAtMs: null, windowMs, source });
}
