import { createDelivery, type ReaderLink, stampOf } from './delivery.js';
import type { Visit } from './journeys.js';
import type { Layout } from './layout.js';
import type { Random } from './random.js';
import { createRecorder, type Recording } from './recording.js';
import type { RadioModel, WorldSpec } from './world-spec.js';

type Simulation = {
  spec: WorldSpec;
  layout: Layout;
  gainsDb: readonly number[];
  tagLossDb: readonly number[];
  tagsPerAsset: number;
  visits: readonly (readonly Visit[])[];
  startMs: number;
  /** By the number of the reader. */
  links: Readonly<Record<number, ReaderLink>>;
};

/** Simulates which antenna reads which tag when and how strongly, and when the server receives it. */
export function simulateReads(simulation: Simulation, random: Random): Recording {
  const { spec, layout, visits, startMs, tagsPerAsset } = simulation;
  const firstMs = Math.min(startMs, ...visits.map(([first]) => first?.fromMs ?? startMs));
  const recorder = createRecorder(firstMs);
  const poll = createPolling(spec.radio, random, recorder.add);
  for (const [asset, ofAsset] of visits.entries()) {
    for (const visit of ofAsset) {
      const silence = drawSilence(spec.radio, visit, random);
      for (let i = 0; i < tagsPerAsset; i += 1) {
        const tag = asset * tagsPerAsset + i;
        const lossDb = simulation.tagLossDb[tag] ?? 0;
        for (const [antenna, attenuationDb] of (layout.attenuationDb[visit.location] ?? []).entries()) {
          if (attenuationDb === Infinity) continue;
          const patternDbm = spec.radio.levelDbm - attenuationDb - lossDb + (simulation.gainsDb[antenna] ?? 0);
          const meanDbm = random.normal(patternDbm, spec.radio.visitSd);
          poll({ asset, tag, antenna }, meanDbm, { ...visit, ...silence });
        }
      }
    }
  }
  const links = layout.antennas.map(({ reader }) => ({ reader, link: simulation.links[reader] ?? {} }));
  const deliveries = new Map(links.map(({ reader, link }) => [reader, createDelivery(link, startMs, random)] as const));
  const byAntenna = links.map(({ reader }) => deliveries.get(reader));
  return recorder.deliver(
    (antenna, trueMs) => byAntenna[antenna]?.(trueMs) ?? trueMs,
    (antenna, trueMs) => stampOf(links[antenna]?.link ?? {}, startMs, trueMs),
  );
}

type Silence = { silentFromMs: number; silentUntilMs: number };

function drawSilence(radio: RadioModel, { fromMs, untilMs }: Visit, random: Random): Silence {
  if (radio.silenceShare === 0 || random.fraction() >= radio.silenceShare) {
    return { silentFromMs: Infinity, silentUntilMs: Infinity };
  }
  const silentFromMs = fromMs + random.uniform(0.1, 0.5) * (untilMs - fromMs);
  return { silentFromMs, silentUntilMs: silentFromMs + radio.silenceMs };
}

/** Polls of one tag by one antenna are this regular: the time between two is the interval times 1 ± this. */
const intervalJitter = 0.05;

function createPolling(
  radio: RadioModel,
  random: Random,
  add: (read: { asset: number; tag: number; antenna: number }, rssiDbm: number, atMs: number) => void,
) {
  const { flickerSd, sensitivityDbm, slopeDb, lossShare, channelsDb, bodySd, bodyMs, fadingSd } = radio;
  const strongestChannelDb = Math.max(...channelsDb);

  return (
    read: { asset: number; tag: number; antenna: number },
    meanDbm: number,
    { fromMs, untilMs, silentFromMs, silentUntilMs }: Visit & Silence,
  ): void => {
    const bestDbm = meanDbm + strongestChannelDb + 4 * flickerSd + 4 * bodySd + 4 * fadingSd;
    if (bestDbm < sensitivityDbm - 5 * slopeDb) return;
    const { firstMs, firstIntervalMs, laterIntervalMs } = radio.intervals(read.antenna);
    const hasRssi = radio.hasRssi(read.antenna);
    const firstUntilMs = fromMs + firstMs;
    let bodyDb = bodySd > 0 ? random.normal(0, bodySd) : 0;
    let bodyUntilMs = bodySd > 0 ? fromMs - bodyMs * Math.log(1 - random.fraction()) : Infinity;
    let fadingDb = fadingSd > 0 ? random.normal(0, fadingSd) : 0;
    let fadedMs = fromMs;
    let isFirst = firstMs > 0;
    let atMs = fromMs + random.fraction() * (isFirst ? firstIntervalMs : laterIntervalMs);
    for (;;) {
      if (isFirst && atMs >= firstUntilMs) {
        isFirst = false;
        atMs = firstUntilMs + random.fraction() * laterIntervalMs;
      }
      if (atMs >= untilMs) return;
      while (atMs >= bodyUntilMs) {
        bodyDb = random.normal(0, bodySd);
        bodyUntilMs -= bodyMs * Math.log(1 - random.fraction());
      }
      if (fadingSd > 0) {
        const kept = radio.fadingCorrelation ** ((atMs - fadedMs) / 100);
        fadingDb = random.normal(kept * fadingDb, fadingSd * Math.sqrt(1 - kept ** 2));
        fadedMs = atMs;
      }
      if (random.fraction() >= lossShare && !(atMs >= silentFromMs && atMs < silentUntilMs)) {
        const channelDb = channelsDb[Math.floor(random.fraction() * channelsDb.length)] ?? 0;
        const rssiDbm = Math.round(random.normal(meanDbm + bodyDb + fadingDb + channelDb, flickerSd));
        if (random.fraction() * (1 + Math.exp((sensitivityDbm - rssiDbm) / slopeDb)) < 1) {
          add(read, hasRssi ? rssiDbm : Number.NaN, Math.floor(atMs));
        }
      }
      atMs += (isFirst ? firstIntervalMs : laterIntervalMs) * random.uniform(1 - intervalJitter, 1 + intervalJitter);
    }
  };
}
