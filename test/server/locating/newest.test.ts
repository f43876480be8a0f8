import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AssetState, decide } from '../../../server/locating/index.js';
import { antennaOf, play, readAt, readsAt, startMs, surroundingsWith, zone } from './support.js';

const newest = surroundingsWith({ antenna: (key) => zone(Math.floor(key / 65536), 'newest') });

test('With the rule newest every newer read decides at once', () => {
  const judgments = play([readAt(1, 0), readAt(2, 1, -75), readAt(1, 2)], newest);
  expect(judgments.map(({ location, movedAtMs }) => [location, movedAtMs])).toEqual([
    [1, startMs],
    [2, startMs + 1000],
    [1, startMs + 2000],
  ]);
});

test('With the rule newest a late read is answered as late and changes nothing', () => {
  const state = play([readAt(1, 0), readAt(2, 10)], newest).at(-1)?.state;
  const judgment = decide(state, readAt(3, 5), newest);
  expect(judgment).toMatchObject({ location: 2, movedAtMs: null, late: { location: 3, atMs: startMs + 5000 } });
  expect(judgment.state).toBe(state);
});

test('The rule newest equals the plain rule that the latest read wins', () => {
  const reads = fc.array(fc.record({ location: fc.integer({ min: 1, max: 6 }), quarters: fc.nat({ max: 400 }) }), {
    maxLength: 80,
  });
  const equalsThePlainRule = fc.property(reads, (given) => {
    let state: AssetState | undefined;
    let plain = { location: 0, atMs: Number.NEGATIVE_INFINITY };
    for (const { location, quarters } of given) {
      const read = readAt(location, quarters / 4);
      if (read.atMs > plain.atMs) plain = { location, atMs: read.atMs };
      state = decide(state, read, newest).state;
      expect(state.location).toBe(plain.location);
      expect(state.lastSeenMs).toBe(plain.atMs);
    }
  });
  fc.assert(equalsThePlainRule, { seed: 1 });
});

test('Antennas of both rules can read the same asset', () => {
  const mixed = surroundingsWith({
    antenna: (key) => zone(Math.floor(key / 65536), key === antennaOf(9) ? 'newest' : 'evidence'),
  });
  const judgments = play([...readsAt(1, [0, 10]), readAt(9, 11), ...readsAt(1, [12, 20])], mixed);
  expect(judgments[11]?.location).toBe(9);
  expect(judgments.at(-1)?.location).toBe(1);
});
