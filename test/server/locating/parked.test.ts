import { expect, test } from 'vitest';
import { antennaKey, type AssetState, createSite, judge, type LocatingRead } from '../../../server/locating/index.js';
import { createRandom } from '../../support/random.js';
import { startMs } from './support.js';

type Gateways = {
  /** Mean level of the tag at each gateway, in dBm; the first one is the nearest. */
  levels: readonly number[];
  /** Reads in a second. */
  rate: number;
  /** Seconds between two messages of a gateway. */
  interval: number;
  /** Standard deviation of the levels in dB, with a correlation of 0.9 after 0.1 s. */
  deviation: number;
};

type Message = { gateway: number; atMs: number; reads: LocatingRead[] };

const minutes = 10;
const settledMs = 5000;

function messagesOf({ levels, rate, interval, deviation }: Gateways, seed: number): Message[] {
  const random = createRandom(seed);
  const normal = () => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one - 0.5, 0);
  const correlation = 0.9 ** (10 / rate);
  const messages = levels.flatMap((level, gateway) => {
    let offset = deviation * normal();
    const phaseMs = random() * interval * 1000;
    const byMessage = new Map<number, LocatingRead[]>();
    for (let no = 0; no < minutes * 60 * rate; no += 1) {
      offset = correlation * offset + deviation * Math.sqrt(1 - correlation ** 2) * normal();
      const atMs = Math.round(startMs + ((no + gateway / levels.length) * 1000) / rate);
      const message = Math.ceil((atMs - startMs - phaseMs) / (interval * 1000));
      const antenna = {
        antenna: antennaKey(gateway + 1, 1),
        location: gateway + 1,
        kind: 'zone',
        rule: 'evidence',
      } as const;
      const read: LocatingRead = { ...antenna, tag: 1, isBle: true, rssiDbm: Math.round(level + offset), atMs };
      const reads = byMessage.get(message);
      if (reads) reads.push(read);
      else byMessage.set(message, [read]);
    }
    return [...byMessage].map(([no, reads]) => ({
      gateway: gateway + 1,
      atMs: startMs + phaseMs + no * interval * 1000,
      reads,
    }));
  });
  return messages.sort((one, other) => one.atMs - other.atMs);
}

/** Returns where the asset is in the end, and how often it was moved after the first seconds. */
function play(gateways: Gateways, seed: number): { location: number | undefined; moves: number } {
  const site = createSite();
  let state: AssetState | undefined;
  let moves = 0;
  for (const { gateway, atMs, reads } of messagesOf(gateways, seed)) {
    site.reported(gateway, reads.at(-1)?.atMs ?? 0);
    for (const read of reads) {
      const judgment = judge(state, read, site.surroundings);
      site.learn(judgment);
      state = judgment.state;
      if (judgment.movedAtMs !== null && atMs > startMs + settledMs + 2 * gateways.interval * 1000) moves += 1;
    }
  }
  return { location: state?.location, moves };
}

const three = [-55, -65, -75];
const eight = [-55, -63, -65, -70, -72, -75, -80, -85];

test.each<Gateways>([
  { levels: three, rate: 10, interval: 1, deviation: 0 },
  { levels: three, rate: 10, interval: 1, deviation: 3 },
  { levels: three, rate: 20, interval: 0.2, deviation: 3 },
  { levels: three, rate: 5, interval: 5, deviation: 3 },
  { levels: eight, rate: 20, interval: 5, deviation: 0 },
  { levels: eight, rate: 20, interval: 5, deviation: 3 },
  { levels: eight, rate: 2, interval: 2, deviation: 3 },
])('A parked asset stays: %j', (gateways) => {
  for (const seed of [1, 2]) expect(play(gateways, seed)).toEqual({ location: 1, moves: 0 });
});
