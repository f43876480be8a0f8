import { expect, test } from 'vitest';
import {
  antennaKey,
  type AssetState,
  createKnowledge,
  decide,
  type LocatingRead,
  type Surroundings,
} from '../../../server/locating/index.js';
import { createRandom } from '../../support/random.js';
import { startMs, zone } from './support.js';

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
      const read = { antenna: antennaKey(gateway + 1, 1), tag: 1, rssiDbm: Math.round(level + offset), atMs };
      const reads = byMessage.get(message);
      if (reads) reads.push(read);
      else byMessage.set(message, [read]);
    }
    return [...byMessage].map(([no, reads]) => ({
      ...{ gateway: gateway + 1, atMs: startMs + phaseMs + no * interval * 1000, reads },
    }));
  });
  return messages.sort((one, other) => one.atMs - other.atMs);
}

/** Returns where the asset is in the end, and how often it was moved after the first seconds. */
function play(
  gateways: Gateways,
  seed: number,
  learned: Partial<Surroundings> = {},
): { location: number | undefined; moves: number } {
  const knowledge = createKnowledge();
  const surroundings = { ...knowledge.surroundings((antenna) => zone(Math.floor(antenna / 65536))), ...learned };
  let state: AssetState | undefined;
  let moves = 0;
  for (const { gateway, atMs, reads } of messagesOf(gateways, seed)) {
    knowledge.reported(gateway, reads.at(-1)?.atMs ?? 0);
    for (const read of reads) {
      const judgment = decide(state, read, surroundings);
      knowledge.learn(judgment, { orgId: 1, nowMs: startMs });
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

/** Visits to two rooms: the receiver of the second room is the louder one in both. */
function visitsWith(labels: number): Partial<Surroundings> {
  const antennas = [antennaKey(1, 1), antennaKey(2, 1)];
  const levels = new Map([
    [
      1,
      new Map([
        [antennas[0], -60],
        [antennas[1], -54],
      ]),
    ],
    [
      2,
      new Map([
        [antennas[0], -75],
        [antennas[1], -48],
      ]),
    ],
  ]);
  return {
    site: () => ({ visits: 20, labels, antennas }),
    locationsOf: () => [1, 2],
    signature: (location, antenna) => {
      const meanDbm = levels.get(location)?.get(antenna);
      return meanDbm === undefined ? undefined : { reads: 20, meanDbm, variance: 4 };
    },
  };
}

test('Visits decide against the loudest receiver of a densely read tag once they were labeled', () => {
  const gateways = { levels: [-60, -54], rate: 10, interval: 1, deviation: 1 };
  expect(play(gateways, 1, visitsWith(0)).location).toBe(2);
  expect(play(gateways, 1, visitsWith(2)).location).toBe(1);
});
