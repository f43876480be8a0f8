import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssetState, judge } from '../../../server/locating/index.js';
import { play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

const newestAt = (location: number, seconds: number, rssiDbm = -57) =>
  ({ ...readAt(location, seconds, rssiDbm), rule: 'newest' }) as const;

test('With the rule newest every newer read decides at once', () => {
  const judgments = play([newestAt(1, 0), newestAt(2, 1, -75), newestAt(1, 2)]);
  expect(judgments.map(({ state, movedAtMs }) => [state.location, movedAtMs])).toEqual([
    [1, startMs],
    [2, startMs + 1000],
    [1, startMs + 2000],
  ]);
});

test('With the rule newest a late read is answered as late and changes nothing', () => {
  const state = play([newestAt(1, 0), newestAt(2, 10)]).at(-1)?.state;
  const judgment = judge(state, newestAt(3, 5), surroundingsWith());
  expect(judgment).toEqual({ state, movedAtMs: null, late: { location: 3, atMs: startMs + 5000 } });
});

test('The rule newest equals the plain rule that the latest read wins', () => {
  const reads = fc.array(fc.record({ location: fc.integer({ min: 1, max: 6 }), quarters: fc.nat({ max: 400 }) }), {
    maxLength: 80,
  });
  const equalsThePlainRule = fc.property(reads, (given) => {
    let state: AssetState | undefined;
    let plain = { location: 0, atMs: Number.NEGATIVE_INFINITY };
    for (const { location, quarters } of given) {
      const read = newestAt(location, quarters / 4);
      if (read.atMs > plain.atMs) plain = { location, atMs: read.atMs };
      state = judge(state, read, surroundingsWith()).state;
      expect(state.location).toBe(plain.location);
      expect(state.lastSeenMs).toBe(plain.atMs);
    }
  });
  fc.assert(equalsThePlainRule, { seed: 1 });
});

test('Antennas of both rules can read the same asset', () => {
  const judgments = play([...readsAt(1, [0, 10]), newestAt(9, 11), ...readsAt(1, [12, 40])]);
  expect(judgments[11]?.state.location).toBe(9);
  expect(judgments.at(-1)?.state.location).toBe(1);
});
