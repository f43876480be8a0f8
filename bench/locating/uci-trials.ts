import { readFileSync } from 'node:fs';
import type { Visit } from './journeys.js';
import type { RecordedRun } from './recorded-run.js';

/** By label of the data set: lying or sitting on the bed is location 1, sitting on the chair 2, walking none. */
const locationOfLabel = [0, 1, 2, 1, 0];
const bedAntennas = [1, 3, 4];
const antennaCount = 4;
const pauseMs = 60_000;

/**
 * Reads trials of the UCI data set 427 (room set S1): a tag worn by a person, four antennas of one UHF reader. Each
 * trial becomes an asset of its own; trials follow each other with a minute between them.
 */
export function readTrials(files: readonly string[]): RecordedRun {
  const reads: RecordedRun['reads'][number][] = [];
  const visits: Visit[][] = [];
  let fromMs = 0;
  for (const [asset, file] of files.entries()) {
    const trial = readTrial(file);
    for (const { atMs, antenna, rssiDbm } of trial) {
      reads.push({ asset, antenna: antenna - 1, rssiDbm, atMs: fromMs + atMs });
    }
    visits.push(visitsOf(trial, fromMs));
    fromMs += (trial.at(-1)?.atMs ?? 0) + pauseMs;
  }
  const antennas = Array.from({ length: antennaCount }, (_, i) => ({
    reader: 1,
    port: i + 1,
    location: bedAntennas.includes(i + 1) ? 1 : 2,
    kind: 'zone' as const,
  }));
  return { name: 'bed', locations: 2, antennas, visits, reads };
}

type TrialRead = { atMs: number; antenna: number; rssiDbm: number; location: number };

function readTrial(file: string): TrialRead[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split(',').map(Number))
    .filter((fields) => fields.length === 9)
    .map(([seconds = 0, , , , antenna = 1, rssiDbm = 0, , , label = 0]) => ({
      atMs: Math.round(seconds * 1000),
      antenna,
      rssiDbm,
      location: locationOfLabel[label] ?? 0,
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
