import type { Placement } from './location-score.js';
import type { DeliveredRead } from './truth.js';

/** The rule that the service is compared with: the read with the latest time decides where an asset is. */
export type LatestReadRule = {
  /** Takes a read that the service received at a real instant, in epoch milliseconds. Reads come in this order. */
  take(delivered: DeliveredRead, receivedAtMs: number): void;
  /** Returns what this rule would have reported of each asset, by its index; `dayAt` converts real instants. */
  placements(dayAt: (realMs: number) => number): Placement[][];
};

type Latest = { stampMs: number; zone: string | undefined; changes: { realMs: number; zone: string }[] };

/** @param things the number of things: assets, and foreign tags */
export function createLatestReadRule(things: number): LatestReadRule {
  const latest = Array.from(
    { length: things },
    (): Latest => ({ stampMs: Number.NEGATIVE_INFINITY, zone: undefined, changes: [] }),
  );

  return {
    take({ read, stampMs }, receivedAtMs) {
      const { thing, antenna, rssiDbm } = read;
      const known = latest[thing];
      if (!known || stampMs <= known.stampMs || rssiDbm < (antenna.minRssiDbm ?? Number.NEGATIVE_INFINITY)) return;
      known.stampMs = stampMs;
      if (known.zone === antenna.zone) return;
      known.zone = antenna.zone;
      known.changes.push({ realMs: receivedAtMs, zone: antenna.zone });
    },
    placements: (dayAt) =>
      latest.map(({ changes }) => changes.map(({ realMs, zone }) => ({ atMs: dayAt(realMs), zone }))),
  };
}
