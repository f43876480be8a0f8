import type { Decider, SiteSetup } from './decider.js';

const windowMs = 60_000;
/** More reads of one asset by one antenna within the window than this push the oldest out. */
const readsMax = 256;
/** Stands for the level of a read without RSSI, so that such reads are all equally strong. */
const missingDbm = -60;

/** Creates the rule that the antenna with the highest mean level of the last minute decides; a tie goes to the newest read. */
export function createStrongestRead({ assets, antennas }: SiteSetup): Decider {
  const locations = new Uint16Array(assets);
  const present = new Uint16Array(assets);
  const rings = assets * antennas.length;
  const times = new Float64Array(rings * readsMax);
  const levels = new Float32Array(rings * readsMax);
  const oldest = new Uint32Array(rings);
  const newest = new Uint32Array(rings);
  const sums = new Float64Array(rings);

  function dropOldest(ring: number): void {
    const first = oldest[ring] ?? 0;
    sums[ring] = (sums[ring] ?? 0) - (levels[ring * readsMax + (first % readsMax)] ?? 0);
    oldest[ring] = first + 1;
  }

  function meanOf(ring: number, sinceMs: number): number {
    const end = newest[ring] ?? 0;
    while ((oldest[ring] ?? 0) < end && (times[ring * readsMax + ((oldest[ring] ?? 0) % readsMax)] ?? 0) < sinceMs) {
      dropOldest(ring);
    }
    const reads = end - (oldest[ring] ?? 0);
    return reads === 0 ? -Infinity : (sums[ring] ?? 0) / reads;
  }

  /** The antenna given wins a tie. Without a read within the window the asset stays where it is. */
  function decide(asset: number, antenna: number, nowMs: number): void {
    let best = antenna;
    let bestDbm = meanOf(asset * antennas.length + antenna, nowMs - windowMs);
    for (let other = 0; other < antennas.length; other += 1) {
      const dbm = meanOf(asset * antennas.length + other, nowMs - windowMs);
      if (dbm > bestDbm + 1e-6) {
        best = other;
        bestDbm = dbm;
      }
    }
    if (bestDbm === -Infinity) return;
    present[asset] = best;
    locations[asset] = antennas[best]?.location ?? 0;
  }

  return {
    onRead({ asset, antenna, rssiDbm, receivedMs }) {
      const ring = asset * antennas.length + antenna;
      if ((newest[ring] ?? 0) - (oldest[ring] ?? 0) === readsMax) dropOldest(ring);
      const end = newest[ring] ?? 0;
      times[ring * readsMax + (end % readsMax)] = receivedMs;
      levels[ring * readsMax + (end % readsMax)] = rssiDbm ?? missingDbm;
      sums[ring] = (sums[ring] ?? 0) + (rssiDbm ?? missingDbm);
      newest[ring] = end + 1;
      decide(asset, antenna, receivedMs);
    },
    locationOf: (asset) => locations[asset] ?? 0,
    expire(nowMs) {
      for (let asset = 0; asset < assets; asset += 1) decide(asset, present[asset] ?? 0, nowMs);
    },
  };
}
