import {
  antennaKey,
  type AntennaSettings,
  type AssetState,
  createKnowledge,
  decide,
  decideHandheld,
  effectiveMs,
  explain,
  type Judgment,
} from '../../server/locating/index.js';
import type { Decider, DeciderFactory, Passage, SiteSetup } from './decider.js';

/** Creates the decider of the product, with the same inputs as in ingestion. */
export const createEvidenceDecider: DeciderFactory = (site: SiteSetup): Decider => {
  const knowledge = createKnowledge();
  const settings = new Map<number, AntennaSettings>(
    site.antennas.map(({ reader, port, location, kind }) => [
      antennaKey(reader, port),
      { location, kind, rule: 'evidence' },
    ]),
  );
  const surroundings = knowledge.surroundings((antenna) => settings.get(antenna));
  const states: (AssetState | undefined)[] = Array.from({ length: site.assets }, () => undefined);
  const replaced = Array.from({ length: site.assets }, () => false);
  const passages: Passage[] = [];

  function take(asset: number, judgment: Judgment, nowMs: number): void {
    states[asset] = judgment.state;
    if (judgment.movedAtMs !== null) replaced[asset] = judgment.replaces === true;
    knowledge.learn(judgment, { orgId: 1, nowMs });
    const { state, location, movedAtMs: atMs } = judgment;
    if (atMs !== null && state.reason === 'portal') passages.push({ asset, location, atMs });
  }

  return {
    passages,
    onMessage(message) {
      knowledge.observeClock(message.reader, message);
      knowledge.reported(message.reader, effectiveMs(knowledge.clockOf(message.reader), message));
    },
    onRead(read) {
      const { asset, tag, reader, port, rssiDbm } = read;
      const atMs = effectiveMs(knowledge.clockOf(reader), read);
      const located = { antenna: antennaKey(reader, port), tag, rssiDbm, atMs };
      take(asset, decide(states[asset], located, surroundings), read.receivedMs);
    },
    onHandheld({ asset, location, atMs }) {
      take(asset, decideHandheld(states[asset], { location, atMs }, surroundings), atMs);
    },
    hasReplaced: (asset) => replaced[asset] ?? false,
    locationOf: (asset) => states[asset]?.location ?? 0,
    confidenceOf: (asset, nowMs) => {
      const state = states[asset];
      return state ? explain(state, surroundings, nowMs).confidence : 0;
    },
  };
};
