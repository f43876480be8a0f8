import type { Decider, SiteSetup } from './decider.js';

/** A reader's time counts unless it is more than this ahead of the server's. */
const aheadMsMax = 5000;

/** Creates the rule that the newest read decides, by the reader's time where it can be right. */
export function createLatestRead({ assets, antennas }: SiteSetup): Decider {
  const locations = new Uint16Array(assets);
  const newestMs = new Float64Array(assets).fill(-Infinity);
  return {
    onRead({ asset, antenna, stampMs, receivedMs }) {
      const atMs = stampMs > receivedMs + aheadMsMax ? receivedMs : stampMs;
      if (atMs <= (newestMs[asset] ?? 0)) return;
      newestMs[asset] = atMs;
      locations[asset] = antennas[antenna]?.location ?? 0;
    },
    locationOf: (asset) => locations[asset] ?? 0,
  };
}
