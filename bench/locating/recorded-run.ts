import type { AntennaSetup } from './decider.js';
import { createDelivery, type ReaderLink } from './delivery.js';
import type { Visit } from './journeys.js';
import { createRandom } from './random.js';
import { createRecorder } from './recording.js';
import type { Replay } from './replay.js';

/** Recorded reads of a site, in milliseconds after the start. */
export type RecordedRun = {
  name: string;
  locations: number;
  antennas: readonly AntennaSetup[];
  /** By asset; gaps between visits have no known location. */
  visits: readonly (readonly Visit[])[];
  reads: readonly { asset: number; antenna: number; rssiDbm: number; atMs: number }[];
  sideOf?: readonly number[];
};

/** How recorded reads reach the server: by messages as gateways publish them, or each at once. */
export type Publishing = 'batches' | 'single';

/** When a recording begins. */
const startMs = Date.UTC(2026, 0, 5, 6);
const publishingMsMin = 500;
const publishingMsMax = 2000;

/** Creates the replay of a recorded run. Intervals and phases of its readers depend on its name alone. */
export function replayOf(run: RecordedRun, publishing: Publishing): Replay {
  const { name, locations, antennas, reads, sideOf } = run;
  const recorder = createRecorder(startMs);
  for (const { asset, antenna, rssiDbm, atMs } of reads) {
    recorder.add({ asset, tag: asset, antenna }, rssiDbm, startMs + atMs);
  }
  const random = createRandom(1, `${name} ${publishing}`);
  const readers = new Set(antennas.map(({ reader }) => reader));
  const deliveries = new Map(
    [...readers].map((reader) => {
      const intervalMs = random.uniform(publishingMsMin, publishingMsMax);
      const phaseMs = random.uniform(0, intervalMs);
      const link: ReaderLink = publishing === 'batches' ? { publishing: { intervalMs, phaseMs } } : {};
      return [reader, createDelivery(link, startMs, random)] as const;
    }),
  );
  const visits = run.visits.map((ofAsset) =>
    ofAsset.map(({ location, fromMs, untilMs }) => ({
      location,
      fromMs: startMs + fromMs,
      untilMs: startMs + untilMs,
    })),
  );
  const endMs = Math.max(startMs, ...visits.map((ofAsset) => ofAsset.at(-1)?.untilMs ?? 0));
  return {
    site: { name, locations, assets: visits.length, readers: readers.size, antennas },
    startMs,
    endMs,
    measuredFromMs: startMs,
    visits,
    labels: undefined,
    ...(sideOf && { sideOf }),
    reads: recorder.deliver(
      (antenna, trueMs) => deliveries.get(antennas[antenna]?.reader ?? 0)?.(trueMs) ?? trueMs,
      (_antenna, trueMs) => trueMs,
    ),
  };
}
