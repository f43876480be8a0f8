import { expect, test } from 'vitest';
import { decide, decodeState, encodeState, explain } from '../../../server/locating/index.js';
import { antennaOf, play, readAt, readsAt, surroundingsWith } from './support.js';

/** A site where half of all visits are to areas without an antenna. */
const withHalls = surroundingsWith({ site: () => ({ visits: 0, antennas: [], transitShare: 0.5 }) });

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
