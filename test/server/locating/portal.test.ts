import { expect, test } from 'vitest';
import { antennaOf, play, readAt, readsAt, startMs, surroundingsWith, zone } from './support.js';

const withPortal = surroundingsWith({
  antenna: (key) => ({
    ...zone(Math.floor(key / 65536)),
    kind: key === antennaOf(9) ? ('portal' as const) : ('zone' as const),
  }),
});

test('An asset that passes a portal is a passage, and the next zone ends it', () => {
  const judgments = play([...readsAt(1, [0, 30]), ...readsAt(9, [31, 36]), ...readsAt(2, [37, 45])], withPortal);
  const passages = judgments.filter(({ movedAtMs, state }) => movedAtMs !== null && state.reason === 'portal');
  expect(passages).toMatchObject([{ location: 9, movedAtMs: startMs + 31_000, state: { decidedBy: antennaOf(9) } }]);
  expect(judgments[36]?.location).toBe(9);
  expect(judgments.find(({ location }) => location === 2)?.movedAtMs).toBe(startMs + 37_000);
});

test('A tag that is parked within reach of a portal is no passage', () => {
  const reads = Array.from({ length: 120 }, (_, i) => (i % 3 === 2 ? readAt(9, i, -71 + (i % 4)) : readAt(1, i)));
  expect(play(reads, withPortal).every(({ location }) => location === 1)).toBe(true);
});
