import type { HandheldScan, SiteSetup } from './decider.js';
import type { ReaderLink } from './delivery.js';
import { simulateVisits, type Visit } from './journeys.js';
import type { Layout } from './layout.js';
import type { LocatingOptions } from './options.js';
import { createRandom, type Random } from './random.js';
import type { Labels, Replay } from './replay.js';
import { simulateReads } from './simulate-reads.js';
import type { WorldSpec } from './world-spec.js';

/** One world of one seed: what happened, and what the server received of it. */
export type World = Replay & { labels: Labels };

/** What a run changes of a world: its assets and hours instead of its own, and how many hours are not measured. */
export type WorldChanges = Partial<Pick<LocatingOptions, 'assets' | 'hours' | 'unmeasuredHours'>>;

/** When the simulated time begins. */
const startMs = Date.UTC(2026, 0, 5, 6);
const hourMs = 3_600_000;
const labelVisitMs = 5 * 60_000;
const labelVisitsPerLocation = 3;
const scanAfterMs = 10_000;
/** A parked asset may move during this time, until each reader has published once. */
const settlingMs = 5000;

/** Simulates a world. The same seed gives the same world. */
export function createWorld(spec: WorldSpec, seed: number, changes: WorldChanges = {}): World {
  const { assets = spec.assets, hours = spec.hours, unmeasuredHours = 0 } = changes;
  const layout = spec.layout();
  const { radio } = spec;
  const stream = (name: string) => createRandom(seed, `${spec.name} ${name}`);
  const tagsPerAsset = radio.secondTagLossDbMax === undefined ? 1 : 2;
  const site: SiteSetup = {
    name: spec.name,
    assets,
    locations: layout.locations,
    readers: layout.readers,
    antennas: layout.antennas,
  };
  const endMs = startMs + hours * hourMs;
  const gains = stream('gains');
  const gainsDb = layout.antennas.map(() => gains.normal(0, radio.gainSd));
  const tagLossDb = drawTagLoss(assets, radio.secondTagLossDbMax, stream('tags'));
  const visits = simulateVisits(layout, { assets, startMs, endMs }, stream('visits'));
  const labelVisits = visitsWithLabels(layout, assets);
  const links = drawLinks(spec, layout, stream('publishing'));
  const fixture = { spec, layout, gainsDb, tagLossDb, tagsPerAsset, links };
  const stillMs = spec.kind === 'parked' ? settlingMs + (spec.publishing?.intervalMsMax ?? 0) : 0;
  return {
    site,
    startMs,
    endMs,
    visits,
    measuredFromMs: startMs + unmeasuredHours * hourMs,
    movesFromMs: startMs + unmeasuredHours * hourMs + stillMs,
    reads: simulateReads({ ...fixture, visits, startMs }, stream('reads')),
    scans: drawScans(visits, spec.scanShare ?? 0, stream('scans')),
    labels: {
      visits: labelVisits,
      reads: simulateReads({ ...fixture, visits: labelVisits, startMs }, stream('labels')),
      scans: labelVisits
        .flatMap((ofAsset, asset) =>
          ofAsset.map(({ location, fromMs }) => ({ asset, location, atMs: fromMs + scanAfterMs })),
        )
        .sort((a, b) => a.atMs - b.atMs),
    },
  };
}

function drawLinks({ links, publishing }: WorldSpec, { readers }: Layout, random: Random): WorldSpec['links'] {
  if (!publishing) return links;
  const drawn = Array.from({ length: readers }, (_, i): [number, ReaderLink] => {
    const intervalMs = random.uniform(publishing.intervalMsMin, publishing.intervalMsMax);
    return [i + 1, { ...links[i + 1], publishing: { intervalMs, phaseMs: random.uniform(0, intervalMs) } }];
  });
  return Object.fromEntries(drawn);
}

/** A person scans some assets within 20 s of their arrival. */
function drawScans(visits: readonly (readonly Visit[])[], share: number, random: Random): HandheldScan[] {
  if (share === 0) return [];
  return visits
    .flatMap((ofAsset, asset) =>
      ofAsset.flatMap(({ location, fromMs, untilMs }): HandheldScan[] => {
        const atMs = fromMs + random.uniform(3000, 20_000);
        return location !== 0 && atMs < untilMs && random.fraction() < share ? [{ asset, location, atMs }] : [];
      }),
    )
    .sort((a, b) => a.atMs - b.atMs);
}

/** A tag loses up to this level because of how it is mounted; the first tag of an asset loses nothing. */
function drawTagLoss(assets: number, lossDbMax: number | undefined, random: Random): number[] {
  return Array.from({ length: assets }, () =>
    lossDbMax === undefined ? [0] : [0, random.uniform(0, lossDbMax)],
  ).flat();
}

/** Takes the assets in turn to each zone three times, and ends when the measured time begins. */
function visitsWithLabels(layout: Layout, assets: number): Visit[][] {
  const portals = new Set(layout.antennas.filter(({ kind }) => kind === 'portal').map(({ location }) => location));
  const zones = Array.from({ length: layout.locations }, (_, i) => i + 1).filter((location) => !portals.has(location));
  const rounds = Math.ceil((zones.length * labelVisitsPerLocation) / assets);
  const visits: Visit[][] = Array.from({ length: assets }, () => []);
  for (let visit = 0; visit < zones.length * labelVisitsPerLocation; visit += 1) {
    const fromMs = startMs - (rounds - Math.floor(visit / assets)) * labelVisitMs;
    const location = zones[visit % zones.length] ?? 0;
    visits[visit % assets]?.push({ location, fromMs, untilMs: fromMs + labelVisitMs });
  }
  return visits;
}
