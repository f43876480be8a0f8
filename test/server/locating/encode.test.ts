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

test('An encoded state is decoded to the same state', () => {
  const survive = fc.property(states, (given) => {
    for (const state of given) expect(decodeState(encodeState(state))).toEqual(state);
  });
  fc.assert(survive, runs);
});

test('Levels of zero and above, and times after the newest read, are decoded as they were encoded', () => {
  const known = play(readsAt(1, [0, 3])).at(-1)?.state as AssetState;
  const [tally] = known.tallies;
  if (!tally) throw new Error('no tally');
  for (const level of [-1, 0, 1, 2, 2000, -20_000, null]) {
    for (const later of [-1, 0, 1, 2, 60_000]) {
      const tallies = [{ ...tally, level, mean: level, isPortal: true, isBle: true }];
      const state: AssetState = { ...known, labelUntilMs: startMs + 3000 + later, scanDb: -12.5, tallies };
      expect(decodeState(encodeState(state))).toEqual(state);
    }
  }
});

test('A state stays short: less than 60 characters with one antenna, less than 400 with twenty', () => {
  const hall = Array.from({ length: 900 }, (_, i) => ({
    ...readAt(120_001 + ((i * 7) % 20), i, -60 - ((i * 13) % 23) + (i % 100) / 100),
    tag: 1_000_001,
    atMs: startMs + i * 83,
  }));
  for (const { state } of play(hall)) expect(encodeState(state).length).toBeLessThanOrEqual(400);
  expect(encodeState(play(readsAt(1, [0, 30])).at(-1)?.state as AssetState).length).toBeLessThan(70);
});

test('The text needs no escaping in a literal of a PostgreSQL array', () => {
  const needNoEscaping = fc.property(states, (given) => {
    for (const state of given) expect(encodeState(state)).toMatch(/^[\w-]+$/);
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

test('Text of another version, or that is no state, is forgotten and never throws', () => {
  const text = encodeState(play(readsAt(5, [0, 10])).at(-1)?.state as AssetState);
  expect(decodeState(text)).toMatchObject({ location: 5 });
  for (const other of [`z${text.slice(1)}`, '', 'b5,6;;;7', null]) expect(decodeState(other)).toBeUndefined();
  for (const broken of [text.slice(0, 9), `${text.charAt(0)},;9`, text.charAt(0)]) {
    expect(decodeState(broken)).toHaveProperty('tallies');
  }
});
