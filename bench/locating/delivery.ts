import type { Random } from './random.js';

/** The clock and the network of a reader. Times are milliseconds after the start of the measured time. */
export type ReaderLink = {
  /** The difference between the clock and the true time, from each instant on. */
  offsets?: readonly { fromMs: number; offsetMs: number }[];
  /** The drift of the clock, in parts per million. */
  driftPpm?: number;
  /** While offline the reader keeps its reads, and delivers them in order once it is connected again. */
  outages?: readonly { fromMs: number; untilMs: number }[];
  /**
   * If set, the reader publishes all its reads at this interval in one message, at its own phase; otherwise each read
   * at once.
   */
  publishing?: { intervalMs: number; phaseMs: number };
};

const latencyMsMin = 20;
const latencyMsMax = 250;
/** A reader that was offline sends fifty reads a second. */
const backlogGapMs = 20;

/** Simulates the transport of reads from one reader to the server. Call it in the order of true time. */
export function createDelivery(link: ReaderLink, startMs: number, random: Random) {
  let publishedMs = -Infinity;
  let lastMs = 0;
  let isBacklog = false;

  return (trueMs: number): number => {
    const readyMs = link.publishing ? publicationOf(link.publishing, startMs, trueMs) : trueMs;
    if (link.publishing && readyMs === publishedMs) return lastMs;
    publishedMs = readyMs;
    const outage = link.outages?.find(
      ({ fromMs, untilMs }) => readyMs >= startMs + fromMs && readyMs < startMs + untilMs,
    );
    const sentMs = outage ? startMs + outage.untilMs : readyMs;
    const directMs = Math.round(sentMs + random.uniform(latencyMsMin, latencyMsMax));
    isBacklog = outage !== undefined || (isBacklog && directMs < lastMs);
    // Messages of one reader never arrive at the same instant; reads that do are in one message.
    lastMs = Math.max(directMs, lastMs + (isBacklog ? backlogGapMs : 1));
    return lastMs;
  };
}

/** Returns when a read is published. */
function publicationOf(
  { intervalMs, phaseMs }: NonNullable<ReaderLink['publishing']>,
  startMs: number,
  trueMs: number,
): number {
  const firstMs = startMs + phaseMs;
  return firstMs + Math.ceil((trueMs - firstMs) / intervalMs) * intervalMs;
}

/** Returns what a reader's clock shows at a true time. */
export function stampOf(link: ReaderLink, startMs: number, trueMs: number): number {
  const sinceMs = trueMs - startMs;
  let offsetMs = 0;
  for (const offset of link.offsets ?? []) if (sinceMs >= offset.fromMs) offsetMs = offset.offsetMs;
  return Math.round(trueMs + offsetMs + (sinceMs * (link.driftPpm ?? 0)) / 1e6);
}
