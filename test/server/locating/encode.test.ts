import { expect, test } from 'vitest';
import { type AssetState, decodeState, encodeState } from '../../../server/locating/index.js';
import { createRandom, play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

/** States as random reads of random antennas and tags lead to them, some of them late. */
function randomStates(seed: number): AssetState[] {
  const random = createRandom(seed);
  const reads = Array.from({ length: 150 }, (_, i) => ({
    ...readAt(1 + Math.floor(random() * 12), i, random() < 0.1 ? null : -80 + random() * 90),
    atMs: Math.round(startMs + i * 700 - (random() < 0.1 ? random() * 90_000 : 0)),
    tag: 100_000 + Math.floor(random() * 3),
  }));
  return play(reads).map(({ state }) => state);
}

test('A state survives being encoded', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    for (const state of randomStates(seed)) expect(decodeState(encodeState(state))).toEqual(state);
  }
});

test('Levels above and at zero and times after the newest read survive', () => {
  const [known] = play(readsAt(1, [0, 3])).slice(-1);
  const [slot] = known?.state.slots ?? [];
  for (const level of [-1, 0, 1, 2, 2000, -20_000]) {
    for (const later of [-1, 0, 1, 2, 60_000]) {
      const state = { ...known?.state, labelUntilMs: startMs + 3000 + later, slots: [{ ...slot, level }] };
      expect(decodeState(encodeState(state as AssetState))).toEqual(state);
    }
  }
});

test('A state has at most eight slots and stays short', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    for (const state of randomStates(seed)) {
      expect(state.slots.length).toBeLessThanOrEqual(8);
      expect(encodeState(state).length).toBeLessThanOrEqual(420);
    }
  }
  expect(encodeState(play(readsAt(1, [0, 30])).at(-1)?.state as AssetState).length).toBeLessThan(100);
});

test('The text needs no escaping in a literal of a PostgreSQL array', () => {
  for (const state of randomStates(7)) expect(encodeState(state)).toMatch(/^[a-z0-9,;-]+$/);
});

test('The same state gives the same text after it was stored in between', () => {
  const random = createRandom(3);
  const reads = Array.from({ length: 300 }, (_, i) => readAt(1 + Math.floor(random() * 4), i, -55 - random() * 20));
  let state: AssetState | undefined;
  for (const [i, judgment] of play(reads).entries()) {
    const read = reads[i];
    if (read === undefined) continue;
    const [stored] = play([read], surroundingsWith(), state && decodeState(encodeState(state)));
    state = stored?.state;
    expect(encodeState(judgment.state)).toBe(stored && encodeState(stored.state));
  }
});

test('Of a text of another version the location and its times are kept', () => {
  const state = play(readsAt(5, [0, 10])).at(-1)?.state as AssetState;
  const { location, sinceMs, lastSeenMs } = state;
  expect(decodeState(`z${encodeState(state).slice(1)}`)).toMatchObject({ location, sinceMs, lastSeenMs, slots: [] });
});

test('Text that is no state never throws', () => {
  for (const text of ['', 'a', ';;;', 'a,,,;', 'nonsense', 'a1,2', '-', 'zzzzzzzzzzzzzzzz', 'a5,6;;;7']) {
    expect(decodeState(text)).toHaveProperty('slots');
  }
});
