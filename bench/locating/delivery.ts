import type { Random } from './random.js';

/** The clock and the network of a reader. Times are milliseconds after the start of the measured time. */
export type ReaderLink = {
  /** What the clock shows beyond the true time, from each instant on. */
  offsets?: readonly { fromMs: number; offsetMs: number }[];
  /** How fast the clock gains, in parts per million. */
  driftPpm?: number;
  /** While offline the reader keeps its reads, and delivers them in order once it is connected again. */
  outages?: readonly { fromMs: number; untilMs: number }[];
};

const latencyMsMin = 20;
const latencyMsMax = 250;
/** A reader that was offline sends fifty reads a second. */
const backlogGapMs = 20;

/** Simulates the way of reads from one reader to the server. Call it in the order of true time. */
export function createDelivery(link: ReaderLink, startMs: number, random: Random) {
  let lastMs = 0;
  let isBacklog = false;

  return (trueMs: number): number => {
    const outage = link.outages?.find(
      ({ fromMs, untilMs }) => trueMs >= startMs + fromMs && trueMs < startMs + untilMs,
    );
    const sentMs = outage ? startMs + outage.untilMs : trueMs;
    const directMs = Math.round(sentMs + random.uniform(latencyMsMin, latencyMsMax));
    isBacklog = outage !== undefined || (isBacklog && directMs < lastMs);
    lastMs = Math.max(directMs, lastMs + (isBacklog ? backlogGapMs : 0));
    return lastMs;
  };
}

/** Returns what a reader's clock shows at a true time. */
export function stampOf(link: ReaderLink, startMs: number, trueMs: number): number {
  const sinceMs = trueMs - startMs;
  let offsetMs = 0;
  for (const offset of link.offsets ?? []) if (sinceMs >= offset.fromMs) offsetMs = offset.offsetMs;
  return Math.round(trueMs + offsetMs + (sinceMs * (link.driftPpm ?? 0)) / 1e6);
}
