import { expect, test } from 'vitest';
import { antennaOf, play, readAt, readsAt, surroundingsWith } from './support.js';

/** The antenna of location 2 reads a tag once a minute, the one of location 1 once a second. */
const surroundings = surroundingsWith({
  level: (antenna) => ({
    meanDbm: -57,
    flickerDb: 2.5,
    gapMs: antenna === antennaOf(2) ? 60_000 : 1000,
    reads: 500,
  }),
  signature: (location, antenna) => ({
    reads: 20,
    meanDbm: antenna === antennaOf(location) ? -57 : -66,
    variance: 25,
  }),
});

test('An antenna that reads rarely wins by its level against one that reads often', () => {
  const often = readsAt(1, [0, 180], -62);
  const rarely = [readAt(2, 50.5, -58), readAt(2, 110.5, -58), readAt(2, 170.5, -58)];
  const reads = [...often, ...rarely].sort((a, b) => a.atMs - b.atMs);
  expect(play(reads, surroundings).at(-1)?.location).toBe(2);
});

test('An antenna that reads rarely loses against one that reads often at its own level', () => {
  const often = readsAt(1, [0, 180], -57);
  const rarely = [readAt(2, 50.5, -65), readAt(2, 110.5, -65), readAt(2, 170.5, -65)];
  const reads = [...often, ...rarely].sort((a, b) => a.atMs - b.atMs);
  expect(play(reads, surroundings).at(-1)?.location).toBe(1);
});
