import type { Decider, HandheldScan, TagRead } from './decider.js';
import type { Recording } from './recording.js';
import { type Replay, truthOf } from './replay.js';
import { createScorer, type Score } from './score.js';

const expiryMs = 5000;
/** How many times positions are sampled, within the following shortest and longest intervals. */
const looksMax = 1000;
const lookMsMin = 1000;
const lookMsMax = 60_000;

/**
 * Replays reads to one decider in the order of receipt and compares what it reports with the truth.
 *
 * @param withLabels whether the labeled visits before the measured time are replayed too
 */
export function runReplay(replay: Replay, decider: Decider, withLabels = false): Score {
  const { site, startMs, endMs } = replay;
  const truth = truthOf(replay, withLabels);
  const scorer = createScorer(truth);
  const reported = new Uint16Array(site.assets);
  let expiresMs = startMs;

  function look(asset: number, nowMs: number): void {
    const location = decider.locationOf(asset);
    if (location !== reported[asset]) {
      reported[asset] = location;
      scorer.moved(asset, location, nowMs);
      if (!decider.passages && truth.portals.has(location)) scorer.passed({ asset, location, atMs: nowMs });
    }
    if (decider.passages?.length) for (const passage of decider.passages.splice(0)) scorer.passed(passage);
  }

  function expire(nowMs: number): void {
    if (!decider.expire || nowMs < expiresMs) return;
    for (; expiresMs <= nowMs; expiresMs += expiryMs) decider.expire(expiresMs);
    for (let asset = 0; asset < reported.length; asset += 1) look(asset, nowMs);
  }

  const lookMs = Math.max(lookMsMin, Math.min(lookMsMax, Math.round((endMs - startMs) / looksMax)));
  let looksMs = startMs + lookMs;
  let lookedCpuMs = 0;

  function lookAtAll(nowMs: number): void {
    const before = process.cpuUsage();
    for (; looksMs <= nowMs; looksMs += lookMs) {
      for (let asset = 0; asset < reported.length; asset += 1) {
        scorer.shown(asset, decider.confidenceOf?.(asset, looksMs) ?? 0, looksMs);
      }
    }
    lookedCpuMs += cpuMsSince(before);
  }

  const feed = feeding(replay, decider, look);
  const before = process.cpuUsage();
  const labels = withLabels ? replay.labels : undefined;
  if (labels) feed(labels, () => {});
  feed(replay, (nowMs) => {
    if (decider.confidenceOf && nowMs >= looksMs) lookAtAll(nowMs);
    expire(nowMs);
  });
  const cpuMs = cpuMsSince(before) - lookedCpuMs;
  const reads = replay.reads.count + (labels?.reads.count ?? 0);
  return { ...scorer.finish(), reads, cpuMs };
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Returns a function that passes reads and scans to a decider, message by message; before each message it makes the
 * calls that are due by the clock.
 */
function feeding({ site: { antennas } }: Replay, decider: Decider, look: (asset: number, nowMs: number) => void) {
  const read: TagRead = {
    index: 0,
    asset: 0,
    tag: 0,
    reader: 0,
    port: 0,
    antenna: 0,
    rssiDbm: null,
    stampMs: 0,
    receivedMs: 0,
  };
  const readerOf = (recording: Recording, i: number) => antennas[recording.antenna[i] ?? 0]?.reader ?? 0;

  function onRead(recording: Recording, i: number): void {
    const antenna = recording.antenna[i] ?? 0;
    const level = recording.rssiDbm[i] ?? Number.NaN;
    read.index = i;
    read.asset = recording.asset[i] ?? 0;
    read.tag = recording.tag[i] ?? 0;
    read.reader = readerOf(recording, i);
    read.port = antennas[antenna]?.port ?? 0;
    read.antenna = antenna;
    read.rssiDbm = Number.isNaN(level) ? null : level;
    read.stampMs = recording.stampMs[i] ?? 0;
    read.receivedMs = recording.receivedMs[i] ?? 0;
    decider.onRead(read);
    look(read.asset, read.receivedMs);
  }

  return ({ reads, scans = [] }: FeedOf, due: (nowMs: number) => void): void => {
    let next = 0;
    const scanUntil = (nowMs: number) => {
      for (let scan = scans[next]; scan && scan.atMs <= nowMs; scan = scans[next]) {
        next += 1;
        decider.onHandheld?.(scan);
        look(scan.asset, scan.atMs);
      }
    };
    for (let from = 0, until = 0; from < reads.count; from = until) {
      const [reader, receivedMs] = [readerOf(reads, from), reads.receivedMs[from] ?? 0];
      let stampMs = -Infinity;
      for (
        ;
        until < reads.count && reads.receivedMs[until] === receivedMs && readerOf(reads, until) === reader;
        until += 1
      ) {
        stampMs = Math.max(stampMs, reads.stampMs[until] ?? 0);
      }
      due(receivedMs);
      scanUntil(receivedMs);
      decider.onMessage?.({ reader, stampMs, receivedMs });
      for (let i = from; i < until; i += 1) onRead(reads, i);
    }
    scanUntil(Infinity);
  };
}

type FeedOf = { reads: Recording; scans?: readonly HandheldScan[] };
