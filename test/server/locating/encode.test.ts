import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssetState, decodeState, encodeState } from '../../../server/locating/index.js';
import { play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

/** Reads of random antennas and tags, some of them late, one after the other. */
const reads = fc
  .array(
    fc.record({
      location: fc.integer({ min: 1, max: 12 }),
      rssiDbm: fc.option(fc.double({ min: -80, max: 10, noNaN: true }), { freq: 10 }),
      lateMs: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 90_000 }) }),
      tag: fc.integer({ min: 100_000, max: 100_002 }),
    }),
    { minLength: 1, maxLength: 150 },
  )
  .map((given) =>
    given.map(({ location, rssiDbm, lateMs, tag }, i) => ({
      ...readAt(location, i, rssiDbm),
      atMs: startMs + i * 700 - lateMs,
      tag,
    })),
  );

/** The states that such reads lead to. */
const states = reads.map((given) => play(given).map(({ state }) => state));

const runs = { seed: 1, numRuns: 50 };

test('A state survives being encoded', () => {
  const survive = fc.property(states, (given) => {
    for (const state of given) expect(decodeState(encodeState(state))).toEqual(state);
  });
  fc.assert(survive, runs);
});

test('Levels above and at zero and times after the newest read survive', () => {
  const [known] = play(readsAt(1, [0, 3])).slice(-1);
  const [tally] = known?.state.tallies ?? [];
  for (const level of [-1, 0, 1, 2, 2000, -20_000]) {
    for (const later of [-1, 0, 1, 2, 60_000]) {
      const state = { ...known?.state, labelUntilMs: startMs + 3000 + later, tallies: [{ ...tally, level }] };
      expect(decodeState(encodeState(state as AssetState))).toEqual(state);
    }
  }
});

test('A state has at most twelve tallies and stays short', () => {
  const areShort = fc.property(states, (given) => {
    for (const state of given) {
      expect(state.tallies.length).toBeLessThanOrEqual(12);
      expect(encodeState(state).length).toBeLessThanOrEqual(640);
    }
  });
  fc.assert(areShort, runs);
  expect(encodeState(play(readsAt(1, [0, 30])).at(-1)?.state as AssetState).length).toBeLessThan(100);
});

test('The text needs no escaping in a literal of a PostgreSQL array', () => {
  const needNoEscaping = fc.property(states, (given) => {
    for (const state of given) expect(encodeState(state)).toMatch(/^[a-z0-9,;-]+$/);
  });
  fc.assert(needNoEscaping, runs);
});

test('The same state gives the same text after it was stored in between', () => {
  const giveTheSameText = fc.property(reads, (given) => {
    let state: AssetState | undefined;
    for (const [i, judgment] of play(given).entries()) {
      const read = given[i];
      if (read === undefined) continue;
      const [stored] = play([read], surroundingsWith(), state && decodeState(encodeState(state)));
      state = stored?.state;
      expect(encodeState(judgment.state)).toBe(stored && encodeState(stored.state));
    }
  });
  fc.assert(giveTheSameText, runs);
});

test('Of a text of another version the location and its times are kept', () => {
  const state = play(readsAt(5, [0, 10])).at(-1)?.state as AssetState;
  const { location, sinceMs, lastSeenMs } = state;
  expect(decodeState(`z${encodeState(state).slice(1)}`)).toMatchObject({ location, sinceMs, lastSeenMs, tallies: [] });
});

test('Text that is no state never throws', () => {
  for (const text of ['', 'a', ';;;', 'a,,,;', 'nonsense', 'a1,2', '-', 'zzzzzzzzzzzzzzzz', 'a5,6;;;7']) {
    expect(decodeState(text)).toHaveProperty('tallies');
  }
});
