import { expect, test } from 'vitest';
import { type AssetState, decodeState, encodeState } from '../../server/locating/index.js';
import { play, readAt } from '../server/locating/support.js';

const antennas = 20;
const rounds = 20;
const statesPerRound = 100;
/** With plain literals it takes 0.6 times as long as JSON, with literals that are put together by spreads 3.4 times. */
const jsonTimesMax = 1.5;

/** Returns the shortest time of several rounds, so that other processes do not count. */
function shortestMs(work: () => unknown): number {
  let shortest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = performance.now();
    for (let i = 0; i < statesPerRound; i += 1) work();
    shortest = Math.min(shortest, performance.now() - startedAt);
  }
  return shortest;
}

test('The state of an asset that twenty antennas hear is encoded and decoded about as fast as JSON', () => {
  const reads = Array.from({ length: 5 * antennas }, (_, i) => readAt(1 + (i % antennas), i));
  const state = play(reads).at(-1)?.state as AssetState;
  expect(state.tallies).toHaveLength(antennas);
  const jsonMs = shortestMs(() => JSON.parse(JSON.stringify(state)) as unknown);
  expect(shortestMs(() => decodeState(encodeState(state)))).toBeLessThan(jsonTimesMax * jsonMs);
});
