import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssetState, judge } from '../../../server/locating/index.js';
import { at, play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

test('Late reads that are convincing correct the past, from the first of them on', () => {
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])]).at(-1)?.state;
  const judgments = play(readsAt(3, [100, 106]), surroundingsWith(), state);
  expect(judgments.at(-1)).toMatchObject({ state: { location: 2 }, late: { location: 3, atMs: at(100) } });
});

test('Late reads of several antennas of a reader that was offline agree each for itself', () => {
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])]).at(-1)?.state;
  const backlog = readsAt(3, [100, 103]).flatMap((read) => [
    read,
    { ...read, antenna: read.antenna + 1, rssiDbm: -75 },
  ]);
  expect(play(backlog, surroundingsWith(), state).filter(({ late }) => late)).toHaveLength(3);
});

test('A late read alone corrects the past only where nothing is known of it', () => {
  const first = play(readsAt(2, [100, 105])).at(-1)?.state;
  expect(judge(first, readAt(3, 50), surroundingsWith()).late).toEqual({ location: 3, atMs: at(50) });
  const second = play(readsAt(3, [200, 215]), surroundingsWith(), first).at(-1)?.state;
  expect(second?.location).toBe(3);
  expect(judge(second, readAt(4, 150), surroundingsWith()).late).toBeUndefined();
});

test('Late reads that are weak do not correct the past', () => {
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])]).at(-1)?.state;
  const judgments = play(readsAt(3, [100, 106], -64), surroundingsWith(), state);
  expect(judgments.every(({ late }) => late === undefined)).toBe(true);
});

test('Late reads that are delivered again change nothing', () => {
  const state = play([...readsAt(1, [0, 5]), ...readsAt(2, [300, 306])]).at(-1)?.state;
  const once = play(readsAt(3, [100, 106]), surroundingsWith(), state).at(-1)?.state;
  for (const judgment of play(readsAt(3, [100, 106]), surroundingsWith(), once)) {
    expect(judgment).toEqual({ state: once, movedAtMs: null });
  }
});

test('A read that is late by the jitter of two readers counts like any other', () => {
  const state = play([...readsAt(1, [0, 20])]).at(-1)?.state;
  const judgment = judge(state, readAt(3, 18.5, -68), surroundingsWith());
  expect(judgment.state.tallies.at(-1)).toMatchObject({ location: 3, level: -6800 });
  expect(judgment.state.lastSeenMs).toBe(startMs + 20_000);
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
      state = judge(state, readAt(location, second, rssiDbm), surroundingsWith()).state;
    }
    const known = state?.location;
    for (const { location, second } of following) {
      const judgment = judge(state, readAt(location, second, -55), surroundingsWith());
      expect(judgment).toMatchObject({ movedAtMs: null, state: { location: known } });
      state = judgment.state;
    }
  });
  fc.assert(keepsTheLocation, { seed: 1 });
});
