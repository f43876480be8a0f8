import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssetState, decide } from '../../../server/locating/index.js';
import { antennaOf, play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

test('Late reads that are convincing correct the past, from the first of them on', () => {
  const surroundings = surroundingsWith({ level: () => undefined });
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])], surroundings).at(-1)?.state;
  const judgments = play(readsAt(3, [100, 106]), surroundings, state);
  expect(judgments.at(-1)).toMatchObject({ location: 2, late: { location: 3, atMs: startMs + 100_000 } });
});

test('A late read alone corrects the past only where nothing is known of it', () => {
  const first = play(readsAt(2, [100, 105])).at(-1)?.state;
  expect(decide(first, readAt(3, 50), surroundingsWith()).late).toEqual({ location: 3, atMs: startMs + 50_000 });
  const second = play(readsAt(3, [200, 210]), surroundingsWith(), first).at(-1)?.state;
  expect(decide(second, readAt(4, 150), surroundingsWith()).late).toBeUndefined();
});

test('Late reads that are weak do not correct the past', () => {
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])]).at(-1)?.state;
  const judgments = play(readsAt(3, [100, 106], -72), surroundingsWith(), state);
  expect(judgments.every(({ late }) => late === undefined)).toBe(true);
});

test('Late reads that are delivered again change nothing', () => {
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])]).at(-1)?.state;
  const once = play(readsAt(3, [100, 106]), surroundingsWith(), state).at(-1)?.state;
  for (const judgment of play(readsAt(3, [100, 106]), surroundingsWith(), once)) {
    expect(judgment.state).toBe(once);
    expect(judgment.late).toBeUndefined();
  }
});

test('A late read never takes the tally of a newer one', () => {
  const eight = Array.from({ length: 8 }, (_, i) => readsAt(i + 1, [100 + i * 10, 104 + i * 10])).flat();
  const state = play(eight).at(-1)?.state;
  expect(state?.tallies).toHaveLength(8);
  expect(decide(state, readAt(20, 10), surroundingsWith()).state).toBe(state);
});

test('A newer read of a ninth antenna takes the tally of the oldest', () => {
  const eight = Array.from({ length: 8 }, (_, i) => readsAt(i + 1, [100 + i * 10, 104 + i * 10])).flat();
  const tallies = play([...eight, readAt(20, 200)]).at(-1)?.state.tallies;
  expect(tallies).toHaveLength(8);
  expect(tallies?.some(({ antenna }) => antenna === antennaOf(20))).toBe(true);
  expect(tallies?.some(({ antenna }) => antenna === antennaOf(1))).toBe(false);
});

test('Late reads never change the location', () => {
  const newer = fc.array(
    fc.record({ location: fc.integer({ min: 1, max: 3 }), rssiDbm: fc.double({ min: -75, max: -50, noNaN: true }) }),
    { minLength: 60, maxLength: 60 },
  );
  const late = fc.array(
    fc.record({ location: fc.integer({ min: 4, max: 6 }), second: fc.double({ min: 0, max: 50, noNaN: true }) }),
    { maxLength: 60 },
  );
  const keepsTheLocation = fc.property(newer, late, (first, following) => {
    let state: AssetState | undefined;
    for (const [second, { location, rssiDbm }] of first.entries()) {
      state = decide(state, readAt(location, second, rssiDbm), surroundingsWith()).state;
    }
    const known = state?.location;
    for (const { location, second } of following) {
      const judgment = decide(state, readAt(location, second, -55), surroundingsWith());
      expect(judgment).toMatchObject({ location: known, movedAtMs: null });
      state = judgment.state;
    }
  });
  fc.assert(keepsTheLocation, { seed: 1 });
});
