import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Publishing, type RecordedRun, replayOf } from './recorded-run.js';
import type { Replay } from './replay.js';
import { readTrials } from './uci-trials.js';

/** Recorded reads as one or more sites: each run begins with nothing learned. */
export type RecordedSite = {
  name: string;
  title: string;
  /**
   * Reads the runs of a half and replays them.
   *
   * @param half the first half of the runs is for choosing constants, the second one for figures
   */
  replays: (half: 'first' | 'second', publishing: Publishing) => Replay[];
};

/** A file of a run: times in seconds, levels in dBm. */
type RunFile = {
  recording: string;
  run: string;
  locations: string[];
  receivers: { location: string }[];
  visits: { from: number; to: number; location: string | null }[];
  reads: [second: number, receiver: number, rssiDbm: number][];
};

/** The variants of recordings with known names; any other recording is used unchanged. */
const knownRecordings: Readonly<Record<string, readonly Variant[]>> = {
  sal: [
    {
      name: 'door',
      title: 'Recorded BLE, a car through a door, outside or inside',
      locationOf: (location) => (location === 'Position' ? 'Inside' : location),
      outside: 'Outside',
    },
    { name: 'door3', title: 'The same, three locations', outside: 'Outside' },
  ],
  danis: [{ name: 'hall', title: 'Recorded BLE, twelve receivers in a hall' }],
};

type Variant = {
  name: string;
  title: string;
  locationOf?: (location: string) => string;
  /** The location outside of a door; all other locations are inside. */
  outside?: string;
};

/** Returns the runs in a folder and the folders in it, each once, with the locations that the door of a recording divides. */
export function readRecordedRuns(folder: string): RecordedRun[] {
  return readRunFiles(filesIn(folder)).map((file) => readRun(file, knownRecordings[file.recording]?.at(-1) ?? plain));
}

const plain: Variant = { name: 'plain', title: 'Recorded reads' };

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((file) => path.join(folder, file));
}

/** A run without a known location has nothing to measure. */
function readRunFiles(files: readonly string[]): RunFile[] {
  return files
    .filter((name) => name.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as RunFile)
    .filter(({ visits }) => visits.some(({ location }) => location !== null));
}

/**
 * Finds the recordings in a folder and the folders in it: files of runs (`.json`), and trials of the UCI data set 427.
 *
 * @throws RangeError for a folder without recordings
 */
export function findRecordings(folder: string): RecordedSite[] {
  const files = filesIn(folder);
  const runs = new Map<string, RunFile[]>();
  for (const run of readRunFiles(files)) runs.set(run.recording, [...(runs.get(run.recording) ?? []), run]);
  const sites = [...runs].flatMap(([recording, ofRecording]) =>
    (knownRecordings[recording] ?? [{ name: recording, title: 'Recorded reads' }]).map(
      (variant): RecordedSite => ({
        name: variant.name,
        title: variant.title,
        replays: (half, publishing) =>
          halfOf(ofRecording, half).map((run) => replayOf(readRun(run, variant), publishing)),
      }),
    ),
  );
  const trials = files.filter((file) => /^d\dp\d\d[MF]$/.test(path.basename(file)));
  if (trials.length > 0) {
    sites.push({
      name: 'bed',
      title: 'Recorded UHF, bed or chair',
      replays: (half, publishing) => [replayOf(readTrials(halfOf(trials, half)), publishing)],
    });
  }
  if (sites.length === 0) throw new RangeError(`--recordings: no run and no trial in ${folder}`);
  return sites;
}

function halfOf<Item>(items: readonly Item[], half: 'first' | 'second'): Item[] {
  const middle = Math.ceil(items.length / 2);
  return half === 'first' ? items.slice(0, middle) : items.slice(middle);
}

function readRun(file: RunFile, { locationOf = (location) => location, outside }: Variant): RecordedRun {
  const names = [...new Set(file.locations.map(locationOf))];
  const numberOf = (location: string) => names.indexOf(locationOf(location)) + 1;
  const visits: RecordedRun['visits'][number][number][] = [];
  for (const { from, to, location } of file.visits) {
    if (location === null) continue;
    const last = visits.at(-1);
    const [fromMs, untilMs] = [Math.round(from * 1000), Math.round(to * 1000)];
    if (last?.location === numberOf(location) && last.untilMs === fromMs) last.untilMs = untilMs;
    else visits.push({ location: numberOf(location), fromMs, untilMs });
  }
  return {
    name: file.run,
    locations: names.length,
    antennas: file.receivers.map(({ location }, i) => ({
      reader: i + 1,
      port: 1,
      location: numberOf(location),
      kind: 'zone' as const,
    })),
    visits: [visits],
    reads: file.reads.map(([second, antenna, rssiDbm]) => ({
      asset: 0,
      antenna,
      rssiDbm,
      atMs: Math.round(second * 1000),
    })),
    ...(outside !== undefined && { sideOf: [0, ...names.map((name) => (name === outside ? 1 : 2))] }),
  };
}
