import { expect, test } from 'vitest';
import { decide } from '../../../server/locating/index.js';
import type { AssetState, LocatingRead, Surroundings } from '../../../server/locating/index.js';

const startMs = Date.UTC(2026, 4, 1, 10);
const antennaOf = (location: number) => 65536 + location;

const surroundings: Surroundings = {
  antenna: (key) => ({ location: key % 65536, kind: 'zone', rule: 'evidence' }),
  level: () => ({ meanDbm: -57, flickerDb: 2.5, gapMs: 1000, reads: 500 }),
  signature: () => undefined,
  reportedUntilMs: () => Number.MAX_SAFE_INTEGER,
};

function readAt(location: number, seconds: number, rssiDbm = -57): LocatingRead {
  return { antenna: antennaOf(location), tag: 1, rssiDbm, atMs: startMs + seconds * 1000 };
}

function play(reads: LocatingRead[], state?: AssetState) {
  const judgments = [];
  let at = state;
  for (const read of reads) {
    const judgment = decide(at, read, surroundings);
    at = judgment.state;
    judgments.push(judgment);
  }
  return judgments;
}

test('The first read places the asset', () => {
  const [judgment] = play([readAt(3, 0)]);
  expect(judgment).toMatchObject({ location: 3, movedAtMs: startMs, reason: { code: 'first' } });
});

test('Reads of a new location move the asset from the first of them on', () => {
  const parked = Array.from({ length: 30 }, (_, i) => readAt(1, i));
  const moved = Array.from({ length: 3 }, (_, i) => readAt(2, 30 + i));
  const judgments = play([...parked, ...moved]);
  const move = judgments.find(({ location }) => location === 2);
  expect(move?.movedAtMs).toBe(startMs + 30_000);
});

test('A weak read of a neighboring antenna does not move the asset', () => {
  const reads = Array.from({ length: 60 }, (_, i) => (i % 10 === 9 ? readAt(2, i, -69) : readAt(1, i)));
  expect(play(reads).map(({ location }) => location)).toEqual(reads.map(() => 1));
});

test('A read that was delivered before changes nothing', () => {
  const reads = Array.from({ length: 20 }, (_, i) => readAt(1, i));
  const state = play(reads).at(-1)?.state;
  for (const read of reads) expect(decide(state, read, surroundings).state).toBe(state);
});
