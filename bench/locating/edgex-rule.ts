import type { Decider, SiteSetup } from './decider.js';

/** The parameters of the RFID inventory service of EdgeX Foundry, as it ships. */
const readsMax = 20;
const marginDb = 6;
const holdMs = 500;
const marginFallDbPerMs = 0.008;
const departedMs = 600_000;
const missingDbm = -60;
const none = 0xffff;

/**
 * Creates the rule of EdgeX: an antenna takes an asset over when the mean of its last 20 reads is 6 dB above the mean
 * of the present antenna; the margin falls by 8 dB/s once the present antenna has been silent for half a second. An
 * asset that is not read for ten minutes has departed.
 */
export function createEdgexRule({ assets, antennas }: SiteSetup): Decider {
  const present = new Uint16Array(assets).fill(none);
  const lastSeenMs = new Float64Array(assets);
  const rings = assets * antennas.length;
  const levels = new Float32Array(rings * readsMax);
  const counts = new Uint32Array(rings);
  const sums = new Float64Array(rings);
  const lastReadMs = new Float64Array(rings);

  function add(ring: number, dbm: number): void {
    const count = counts[ring] ?? 0;
    const slot = ring * readsMax + (count % readsMax);
    sums[ring] = (sums[ring] ?? 0) + dbm - (count >= readsMax ? (levels[slot] ?? 0) : 0);
    levels[slot] = dbm;
    counts[ring] = count + 1;
  }

  const meanOf = (ring: number) => (sums[ring] ?? 0) / Math.min(readsMax, counts[ring] ?? 0);

  function depart(asset: number): void {
    present[asset] = none;
    for (let antenna = 0; antenna < antennas.length; antenna += 1) {
      counts[asset * antennas.length + antenna] = 0;
      sums[asset * antennas.length + antenna] = 0;
    }
  }

  return {
    onRead({ asset, antenna, rssiDbm, receivedMs }) {
      const ring = asset * antennas.length + antenna;
      add(ring, rssiDbm ?? missingDbm);
      lastReadMs[ring] = receivedMs;
      lastSeenMs[asset] = receivedMs;
      const current = present[asset] ?? none;
      if (current === antenna) return;
      const presentRing = asset * antennas.length + current;
      const silentMs = Math.max(0, receivedMs - (lastReadMs[presentRing] ?? 0) - holdMs);
      if (current === none || meanOf(ring) > meanOf(presentRing) + marginDb - marginFallDbPerMs * silentMs) {
        present[asset] = antenna;
      }
    },
    locationOf(asset) {
      const antenna = present[asset] ?? none;
      return antenna === none ? 0 : (antennas[antenna]?.location ?? 0);
    },
    expire(nowMs) {
      for (let asset = 0; asset < assets; asset += 1) {
        if (present[asset] !== none && nowMs - (lastSeenMs[asset] ?? 0) > departedMs) depart(asset);
      }
    },
  };
}
