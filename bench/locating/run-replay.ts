import type { Decider, TagRead } from './decider.js';
import type { Recording } from './recording.js';
import { type Replay, truthOf } from './replay.js';
import { createScorer, type Score } from './score.js';

const expiryMs = 5000;

/**
 * Replays reads to one decider in the order of receipt and compares what it reports with the truth.
 *
 * @param withLabels whether the labeled visits before the measured time are replayed too
 */
export function runReplay(replay: Replay, decider: Decider, withLabels = false): Score {
  const truth = truthOf(replay, withLabels);
  const scorer = createScorer(truth);
  const reported = new Uint16Array(replay.site.assets);
  let expiresMs = replay.startMs;

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

  const before = process.cpuUsage();
  const labels = withLabels ? replay.labels : undefined;
  if (labels) {
    const { reads, scans } = labels;
    let next = 0;
    const scanUntil = (nowMs: number) => {
      for (let scan = scans[next]; scan && scan.atMs <= nowMs; scan = scans[next]) {
        next += 1;
        decider.onHandheld?.(scan);
        look(scan.asset, scan.atMs);
      }
    };
    feed(replay, reads, (read) => {
      scanUntil(read.receivedMs);
      decider.onRead(read);
      look(read.asset, read.receivedMs);
    });
    scanUntil(Infinity);
  }
  feed(replay, replay.reads, (read) => {
    expire(read.receivedMs);
    decider.onRead(read);
    look(read.asset, read.receivedMs);
  });
  const { user, system } = process.cpuUsage(before);
  const cpuMs = (user + system) / 1000;
  const reads = replay.reads.count + (labels?.reads.count ?? 0);
  return { ...scorer.finish(), reads, cpuMs };
}

function feed({ site }: Replay, recording: Recording, onRead: (read: Readonly<TagRead>) => void): void {
  const { antennas } = site;
  const read: TagRead = {
    ...{ index: 0, asset: 0, tag: 0, reader: 0, port: 0, antenna: 0, rssiDbm: null, stampMs: 0, receivedMs: 0 },
  };
  for (let i = 0; i < recording.count; i += 1) {
    const antenna = recording.antenna[i] ?? 0;
    const setup = antennas[antenna];
    if (!setup) continue;
    const level = recording.rssiDbm[i] ?? Number.NaN;
    read.index = i;
    read.asset = recording.asset[i] ?? 0;
    read.tag = recording.tag[i] ?? 0;
    read.reader = setup.reader;
    read.port = setup.port;
    read.antenna = antenna;
    read.rssiDbm = Number.isNaN(level) ? null : level;
    read.stampMs = recording.stampMs[i] ?? 0;
    read.receivedMs = recording.receivedMs[i] ?? 0;
    onRead(read);
  }
}
