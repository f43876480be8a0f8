import {
  antennaKey,
  type AntennaSettings,
  type AssetState,
  createSite,
  effectiveMs,
  explain,
  judge,
  judgeScan,
  type Judgment,
} from '../../server/locating/index.js';
import type { Decider, DeciderFactory, Passage, SiteSetup } from './decider.js';

/** Creates the decider of the product, with the same inputs as in ingestion. */
export const createEvidenceDecider: DeciderFactory = (setup: SiteSetup): Decider => {
  const site = createSite();
  const { surroundings } = site;
  const settings = setup.antennas.map(({ location, kind }): AntennaSettings => ({ location, kind, rule: 'evidence' }));
  const states: (AssetState | undefined)[] = Array.from({ length: setup.assets }, () => undefined);
  const passages: Passage[] = [];

  function take(asset: number, judgment: Judgment): void {
    states[asset] = judgment.state;
    site.learn(judgment);
    const { state, movedAtMs: atMs } = judgment;
    if (atMs !== null && state.reason === 'portal') passages.push({ asset, location: state.location, atMs });
  }

  return {
    passages,
    onMessage(message) {
      site.observeClock(message.reader, message);
      site.reported(message.reader, effectiveMs(site.clockOf(message.reader), message));
    },
    onRead(read) {
      const { asset, tag, reader, port, rssiDbm } = read;
      const antenna = settings[read.antenna];
      if (!antenna) return;
      const located = { ...antenna, antenna: antennaKey(reader, port), tag, isBle: false, rssiDbm };
      take(asset, judge(states[asset], { ...located, atMs: effectiveMs(site.clockOf(reader), read) }, surroundings));
    },
    onHandheld({ asset, location, atMs }) {
      take(asset, judgeScan(states[asset], { location, atMs }));
    },
    locationOf: (asset) => states[asset]?.location ?? 0,
    confidenceOf: (asset, nowMs) => {
      const state = states[asset];
      return state ? explain(state, surroundings, nowMs).confidence : 0;
    },
  };
};
