import { expect, test } from 'vitest';
import { decide, decodeState, encodeState, explain, type Surroundings } from '../../../server/locating/index.js';
import { createLearning } from '../../../server/locating/learning.js';
import {
  addTransitVisit,
  audibleInTransit,
  createTransitSum,
  transitOf,
} from '../../../server/locating/transit-signature.js';
import type { Observation } from '../../../server/locating/types.js';
import { antennaOf, play, readAt, readsAt, surroundingsWith } from './support.js';

/** A site where half of all visits are to areas without an antenna. */
const withHalls = withTransit([]);

function withTransit(learned: readonly { location: number; visits: number; levelDbm: number }[]): Surroundings {
  const sum = createTransitSum(8);
  for (const { location, visits, levelDbm } of learned) addTransitVisit(sum, [seen(location, levelDbm)], visits);
  const transit = transitOf(sum, 0.5);
  return surroundingsWith({ site: () => ({ visits: 0, labels: 0, antennas: [], transit }) });
}

/** Reads of a visit by the antenna of a location. */
function seen(location: number, levelDbm: number): Observation {
  return {
    ...{ antenna: antennaOf(location), location, levelDbm, reads: 20, opportunities: 20 },
    ...{ hasRead: true, hasRssi: true, isReported: true, variance: 0, strayChance: 0, lastMs: 0 },
  };
}

/** Weak reads by the antennas of several locations in turn, as in a hall between them. */
const crossing = [readAt(2, 34, -72), readAt(3, 37, -73), readAt(2, 40, -71), readAt(4, 43, -72), readAt(3, 46, -73)];

test('An asset that crosses an area without antennas stays where it was until it arrives', () => {
  const judgments = play([...readsAt(1, [0, 30]), ...crossing, ...readsAt(5, [60, 63])], withHalls);
  const moves = judgments.flatMap(({ location, movedAtMs }) => (movedAtMs === null ? [] : [location]));
  expect(moves).toEqual([1, 5]);
});

test('The state remembers that an asset is in transit, and a read where it was ends that without a move', () => {
  const state = play([...readsAt(1, [0, 30]), ...crossing], withHalls).at(-1)?.state;
  expect(state).toMatchObject({ location: 1, isInTransit: true });
  if (state === undefined) throw new Error('there is no state');
  expect(decodeState(encodeState(state))).toEqual(state);
  const back = play(readsAt(1, [60, 64]), withHalls, state);
  expect(back.at(-1)?.state).toMatchObject({ location: 1, isInTransit: false });
  expect(back.every(({ movedAtMs }) => movedAtMs === null)).toBe(true);
});

test('The confidence in the last location falls while the asset is in transit', () => {
  const arrived = play(readsAt(1, [0, 30]), withHalls).at(-1)?.state;
  const left = play([...readsAt(1, [0, 30]), ...crossing], withHalls).at(-1)?.state;
  if (arrived === undefined || left === undefined) throw new Error('there is no state');
  expect(explain(arrived, withHalls, 30_000).confidence).toBeGreaterThan(0.9);
  expect(explain(left, withHalls, 46_000).confidence).toBeLessThan(0.5);
});

test('An asset that is received weakly at one location for minutes is shown there', () => {
  const reads = readsAt(2, [31, 150], -68);
  expect(play([...readsAt(1, [0, 30]), ...reads], withHalls).at(-1)?.location).toBe(2);
});

test('A read by a reader with the rule for the newest read ends transit', () => {
  const state = play([...readsAt(1, [0, 30]), ...crossing], withHalls).at(-1)?.state;
  const newest = { ...withHalls, antenna: () => ({ location: 1, kind: 'zone' as const, rule: 'newest' as const }) };
  const judgment = decide(state, { ...readAt(1, 60), antenna: antennaOf(1) }, newest);
  expect(judgment.state).toMatchObject({ location: 1, isInTransit: false });
});

test('Reads of an antenna beside a hall are no move once it is known how strongly it receives assets there', () => {
  const reads = [...readsAt(1, [0, 30]), ...readsAt(2, [34, 40], -65)];
  const locationWith = (surroundings: Surroundings) => play(reads, surroundings).at(-1)?.location;
  expect(locationWith(withHalls)).toBe(2);
  expect(locationWith(withTransit([{ location: 2, visits: 200, levelDbm: -65 }]))).toBe(1);
});

test('An antenna that is never read in transit moves an asset at once', () => {
  const arrival = [...readsAt(1, [0, 30]), ...readsAt(2, [34, 36], -66)];
  const others = [3, 4, 5].map((location) => ({ location, visits: 200, levelDbm: -70 }));
  const locationWith = (surroundings: Surroundings) => play(arrival, surroundings).at(-1)?.location;
  expect(locationWith(withHalls)).toBe(1);
  expect(locationWith(withTransit(others))).toBe(2);
});

test('What antennas receive in transit is learned from the visits that are to no location', () => {
  const learning = createLearning(withHalls.level);
  const learnVisit = (no: string, observations: Observation[]) =>
    learning.learnPattern({ key: no, fromMs: 0, label: null, observations }, { orgId: 1, nowMs: 0 });
  for (let no = 0; no < 100; no += 1) {
    learnVisit(`visit ${no}`, [seen(1 + (no % 4), -57 + (no % 7) - 3)]);
    // Different antennas receive a crossing best.
    const levels = [-74, -72, -75].map((levelDbm, i) => levelDbm + ((no + 3 * i) % 5) - 2);
    learnVisit(
      `crossing ${no}`,
      levels.map((levelDbm, i) => seen(1 + i, levelDbm)).filter((_, i) => i !== no % 3),
    );
  }
  const transit = learning.site(2)?.transit;
  expect(transit?.share).toBeGreaterThan(0.4);
  expect(transit?.entries.get(antennaOf(2))?.meanDbm).toBeCloseTo(-72, 0);
  expect(transit?.entries.has(antennaOf(4))).toBe(false);
  expect(learning.signature(2, antennaOf(2))?.meanDbm).toBeCloseTo(-57, 0);
});

test('Antennas around another hall are not expected to read an asset that crosses this one', () => {
  const sum = createTransitSum(8);
  for (let no = 0; no < 20; no += 1) {
    addTransitVisit(sum, [seen(1, -72), seen(2, -72)], 1);
    addTransitVisit(sum, [seen(3, -72), seen(4, -72)], 1);
  }
  const transit = transitOf(sum, 0.5);
  expect(audibleInTransit(antennaOf(2), antennaOf(1), transit)).toBeGreaterThan(0.9);
  expect(audibleInTransit(antennaOf(4), antennaOf(1), transit)).toBeLessThan(0.1);
});
