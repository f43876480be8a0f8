import { antennaKey, type Clock, createClock, effectiveMs, observeClock, type Site } from '../../locating/index.js';
import { createMeasured, type Measured, addMeasurement } from '../../things/telemetry/measured.js';
import { aheadMs, type AssetTrack, beginTrack } from './asset-track.js';
import type { BatchRead, ReadBatch } from './batch.js';
import { judgeReads, locatingRead, type ReadingAntenna, type TimedRead } from './judge-reads.js';
import { isPrivateAddress } from './private-addresses.js';
import { positionOf, type ReaderSettings, type ResolvedBatch, seenBefore, type TagOwner } from './resolve-batch.js';
import type { UnknownCount } from './scan-changes.js';

/** The result of judging a batch, besides the tracks of assets. */
export type JudgedBatch = {
  unknown: UnknownCount[];
  /** The clock of each reader after the batch. It takes effect once the batch is stored. */
  clocks: ReadonlyMap<number, Clock>;
  /** The new clock offset of each reader of the batch; null if unchanged. */
  clockOffsets: (number | null)[];
  weakReads: number;
  unknownReads: number;
  /** Reads of private BLE addresses that were not counted, by reader. */
  ignoredReads: Map<number, number>;
  assetReads: number;
  /** What the tags of assets measured. */
  measured: Measured;
};

export type JudgeOptions = {
  /** Returns what an organization's readers and locations have taught. */
  siteOf: (orgId: number) => Site;
  /** Whether these reads were judged before, so that nothing is learned from them again. */
  hasLearned: boolean;
  retentionMs: number;
  /** The present, in epoch milliseconds of the database's clock. */
  nowMs: number;
};

/**
 * Judges the reads of a batch, the reads of each asset in the order of their times. Ignores reads of deleted readers.
 *
 * @param onTrack called with the track of each asset that was read, in the order of the ids
 */
export function judgeBatch(
  batch: ReadBatch,
  resolved: ResolvedBatch,
  { onTrack, ...options }: JudgeOptions & { onTrack: (track: AssetTrack) => void },
): JudgedBatch {
  const antennas = readingAntennas(batch, resolved);
  const clocks = learnClocks(batch, resolved, { antennas, siteOf: options.siteOf });
  const judged: JudgedBatch = {
    unknown: [],
    clocks,
    clockOffsets: batch.senders.map(({ readerId }, index) => {
      const offsetMs = clocks.get(readerId)?.offsetMs;
      return offsetMs === undefined || offsetMs === resolved.readers[index]?.clockOffsetMs ? null : offsetMs;
    }),
    weakReads: 0,
    unknownReads: 0,
    ignoredReads: new Map(),
    assetReads: 0,
    measured: createMeasured(),
  };
  learnHeartbeats(batch, resolved, options.siteOf);
  const byAsset = readsByAsset(batch, resolved, { antennas, judged, options });
  for (const row of resolved.positions) {
    const reads = byAsset.get(row.asset_id);
    if (!reads) continue;
    let position = positionOf(row);
    if (position && position.lastSeenMs > options.nowMs + aheadMs) {
      position = seenBefore(position, Math.min(...reads.map(({ atMs }) => atMs)));
    }
    const track = beginTrack(row.org_id, row.asset_id, position);
    judgeReads(track, reads, { site: options.siteOf(row.org_id), hasLearned: options.hasLearned });
    onTrack(track);
  }
  return judged;
}

function readingAntennas({ senders, antennas }: ReadBatch, resolved: ResolvedBatch): (ReadingAntenna | undefined)[] {
  return antennas.map(({ readerNumber, port }, index) => {
    const settings = resolved.readers[readerNumber - 1];
    const antenna = resolved.antennas[index];
    const sender = senders[readerNumber - 1];
    if (!settings || !antenna || !sender) return undefined;
    const { orgId, readerId, isTest } = sender;
    // A test read is a single read, which as evidence would seldom move an asset.
    const reader: ReaderSettings = isTest ? { ...settings, rule: 'newest' } : settings;
    const { location, kind, rssiMinDbm } = antenna;
    return { location, kind, rssiMinDbm, key: antennaKey(readerId, port), port, readerId, orgId, reader };
  });
}

/** Returns the clocks of the readers after the batch: they are learned from the newest time of each message. */
function learnClocks(
  { senders, reads }: ReadBatch,
  { readers }: ResolvedBatch,
  { antennas, siteOf }: { antennas: readonly (ReadingAntenna | undefined)[] } & Pick<JudgeOptions, 'siteOf'>,
): Map<number, Clock> {
  const clocks = new Map<number, Clock>();
  for (const [index, { orgId, readerId }] of senders.entries()) {
    const stored = readers[index]?.clockOffsetMs;
    if (stored === undefined) continue;
    const known = siteOf(orgId).clockOf(readerId);
    clocks.set(readerId, known.offsetMs === stored ? known : createClock(stored));
  }
  const newest = new Map<number, { stampMs: number; receivedMs: number }>();
  const learn = (readerId: number) => {
    const sample = newest.get(readerId);
    const clock = clocks.get(readerId);
    if (sample && clock) clocks.set(readerId, observeClock(clock, sample));
  };
  for (const { antenna: index, observedAtMs, receivedAtMs } of reads) {
    const antenna = antennas[index];
    if (!antenna || observedAtMs === null || antenna.reader.usesReceiptTime) continue;
    const sample = newest.get(antenna.readerId);
    if (sample && sample.receivedMs === receivedAtMs) sample.stampMs = Math.max(sample.stampMs, observedAtMs);
    else {
      learn(antenna.readerId);
      newest.set(antenna.readerId, { stampMs: observedAtMs, receivedMs: receivedAtMs });
    }
  }
  for (const readerId of newest.keys()) learn(readerId);
  return clocks;
}

/** Learns from the heartbeats of readers that sent only messages without reads. */
function learnHeartbeats(
  { senders, antennas, rejected }: ReadBatch,
  { readers }: ResolvedBatch,
  siteOf: JudgeOptions['siteOf'],
): void {
  const others = new Set(antennas.map(({ readerNumber }) => senders[readerNumber - 1]?.readerId));
  // Messages that could not be parsed may have had reads.
  for (const { readerId } of rejected) others.add(readerId);
  for (const [index, { orgId, readerId, atMs }] of senders.entries()) {
    if (readers[index] && !others.has(readerId)) siteOf(orgId).heartbeat(readerId, atMs);
  }
}

/** Groups reads by asset. Other reads are counted, or used for learning. */
function readsByAsset(
  batch: ReadBatch,
  { tags }: ResolvedBatch,
  {
    antennas,
    judged,
    options: { siteOf, hasLearned, retentionMs },
  }: { antennas: readonly (ReadingAntenna | undefined)[]; judged: JudgedBatch; options: JudgeOptions },
): Map<number, TimedRead[]> {
  const byAsset = new Map<number, TimedRead[]>();
  const unknown = new Map<number, UnknownCount>();
  const reported = new Map<number, { orgId: number; untilMs: number }>();
  for (const read of batch.reads) {
    const antenna = antennas[read.antenna];
    if (!antenna) continue;
    const atMs = effectiveTime(read, antenna.reader, {
      offsetMs: judged.clocks.get(antenna.readerId)?.offsetMs ?? 0,
      retentionMs,
    });
    const untilMs = Math.max(atMs, reported.get(antenna.readerId)?.untilMs ?? 0);
    reported.set(antenna.readerId, { orgId: antenna.orgId, untilMs });
    if (read.telemetry) addTelemetry(judged.measured, read, { antenna, atMs, owner: tags.get(read.tag) });
    if (read.rssiDbm !== null && antenna.rssiMinDbm !== null && read.rssiDbm < antenna.rssiMinDbm) {
      judged.weakReads += 1;
      continue;
    }
    const owner = tags.get(read.tag);
    if (!owner && !read.isPublic && !antenna.reader.countsPrivateAddresses && isPrivateAddress(batch.tags[read.tag])) {
      judged.ignoredReads.set(antenna.readerId, (judged.ignoredReads.get(antenna.readerId) ?? 0) + 1);
    } else if (!owner) {
      judged.unknownReads += 1;
      countUnknown(unknown, batch, { read, antenna, atMs });
    } else if ('locationId' in owner) {
      const located = locatingRead({ read, antenna, atMs, tagId: 0, isBle: isBle(batch, read) });
      if (!hasLearned) siteOf(antenna.orgId).learnOwnTag(owner.locationId, located);
    } else {
      judged.assetReads += 1;
      const timed = { read, antenna, tagId: owner.tagId, isBle: isBle(batch, read), atMs, isAgain: false };
      const reads = byAsset.get(owner.assetId);
      if (reads) reads.push(timed);
      else byAsset.set(owner.assetId, [timed]);
    }
  }
  for (const [readerId, { orgId, untilMs }] of reported) siteOf(orgId).reported(readerId, untilMs);
  judged.unknown = [...unknown.values()];
  return byAsset;
}

const isBle = ({ tags }: ReadBatch, { tag }: BatchRead): boolean => tags[tag]?.type === 'ble';

/** A weak read is no evidence for a location, but its measured values are valid. */
function addTelemetry(
  measured: Measured,
  { telemetry }: BatchRead,
  { antenna, atMs, owner }: { antenna: ReadingAntenna; atMs: number; owner: TagOwner | undefined },
): void {
  if (!telemetry || !owner || 'locationId' in owner) return;
  addMeasurement(measured, { orgId: antenna.orgId, tagId: owner.tagId, atMs, telemetry });
}

function countUnknown(
  counts: Map<number, UnknownCount>,
  { tags, antennas }: ReadBatch,
  { read, antenna, atMs }: { read: BatchRead; antenna: ReadingAntenna; atMs: number },
): void {
  const key = read.tag * antennas.length + read.antenna;
  const known = counts.get(key);
  if (known) {
    known.count += 1;
    known.firstMs = Math.min(known.firstMs, atMs);
    known.lastMs = Math.max(known.lastMs, atMs);
    return;
  }
  counts.set(key, {
    orgId: antenna.orgId,
    tagType: tags[read.tag]?.type ?? null,
    value: tags[read.tag]?.value ?? '',
    readerId: antenna.readerId,
    antenna: antenna.port,
    count: 1,
    firstMs: atMs,
    lastMs: atMs,
  });
}

/**
 * Returns the effective time of a read. It is the time of receipt if the reader is set to use it, or if the read is
 * older than the retention.
 */
function effectiveTime(
  { observedAtMs: stampMs, receivedAtMs: receivedMs }: BatchRead,
  { usesReceiptTime }: ReaderSettings,
  { offsetMs, retentionMs }: { offsetMs: number; retentionMs: number },
): number {
  if (usesReceiptTime) return receivedMs;
  const atMs = effectiveMs({ offsetMs }, { stampMs, receivedMs });
  return atMs < receivedMs - retentionMs ? receivedMs : atMs;
}
