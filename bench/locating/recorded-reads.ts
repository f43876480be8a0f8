import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SiteSetup } from './decider.js';
import type { Visit } from './journeys.js';
import { createRecorder } from './recording.js';
import type { Replay } from './replay.js';

/** By label of the data set: lying or sitting on the bed is location 1, sitting on the chair 2, walking none. */
const locationOfLabel = [0, 1, 2, 1, 0];
const bedAntennas = [1, 3, 4];
const antennaCount = 4;
const startMs = Date.UTC(2026, 0, 5, 6);
const pauseMs = 60_000;

/**
 * Reads the trials of the UCI data set 427 (room set S1): a tag worn by a person, four antennas of one UHF reader. Each
 * trial becomes an asset of its own; trials follow each other with a minute between them.
 *
 * @throws RangeError for a folder without trials
 */
export function readRecordedReads(folder: string): Replay {
  const trials = readdirSync(folder)
    .filter((name) => /^d\dp\d\d[MF]$/.test(name))
    .sort()
    .map((name) => readTrial(path.join(folder, name)));
  if (trials.length === 0) throw new RangeError(`--data: no file in ${folder} is named like d1p01M`);
  const recorder = createRecorder(startMs);
  const visits: Visit[][] = [];
  let fromMs = startMs;
  for (const [asset, trial] of trials.entries()) {
    for (const { atMs, antenna, rssiDbm } of trial) {
      recorder.add({ asset, tag: asset, antenna: antenna - 1 }, rssiDbm, fromMs + atMs);
    }
    visits.push(visitsOf(trial, fromMs));
    fromMs += (trial.at(-1)?.atMs ?? 0) + pauseMs;
  }
  const onTime = (_antenna: number, trueMs: number) => trueMs;
  const site: SiteSetup = {
    name: 'UCI 427',
    locations: 2,
    assets: trials.length,
    readers: 1,
    antennas: Array.from({ length: antennaCount }, (_, i) => ({
      reader: 1,
      port: i + 1,
      location: bedAntennas.includes(i + 1) ? 1 : 2,
      kind: 'zone',
    })),
  };
  return {
    ...{ site, startMs, endMs: fromMs, measuredFromMs: startMs, visits, labels: undefined },
    reads: recorder.deliver(onTime, onTime),
  };
}

type TrialRead = { atMs: number; antenna: number; rssiDbm: number; location: number };

function readTrial(file: string): TrialRead[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(',').map(Number))
    .filter((fields) => fields.length === 9)
    .map(([seconds = 0, , , , antenna = 1, rssiDbm = 0, , , label = 0]) => ({
      ...{ atMs: Math.round(seconds * 1000), antenna, rssiDbm, location: locationOfLabel[label] ?? 0 },
    }));
}

/** A label holds until the next read. */
function visitsOf(trial: readonly TrialRead[], fromMs: number): Visit[] {
  const visits: Visit[] = [];
  let last: Visit | undefined;
  for (const { atMs, location } of trial) {
    const nowMs = fromMs + atMs;
    if (last) last.untilMs = nowMs;
    if (last?.location === location) continue;
    last = { location, fromMs: nowMs, untilMs: nowMs };
    visits.push(last);
  }
  return visits;
}
