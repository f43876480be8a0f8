import { expect, test } from 'vitest';
import { decide } from '../../../server/locating/index.js';
import { antennaOf, play, readAt, readsAt, startMs, surroundingsWith, zone } from './support.js';

const nothingLearned = { level: () => undefined };

test('The first read places the asset', () => {
  const [judgment] = play([readAt(3, 0)]);
  expect(judgment).toMatchObject({ location: 3, movedAtMs: startMs, state: { reason: 'first' } });
});

test('Reads of a new location move the asset within three reads, from the first of them on', () => {
  const judgments = play([...readsAt(1, [0, 29]), ...readsAt(2, [30, 32])]);
  const move = judgments.find(({ location }) => location === 2);
  expect(move?.movedAtMs).toBe(startMs + 30_000);
});

test('Weak reads of a neighboring antenna do not move the asset', () => {
  const reads = Array.from({ length: 60 }, (_, i) => (i % 10 === 9 ? readAt(2, i, -69) : readAt(1, i)));
  expect(play(reads).map(({ location }) => location)).toEqual(reads.map(() => 1));
});

test('The level of several antennas that read the asset at once decides', () => {
  const reads = readsAt(1, [0, 20], -70).flatMap((read, i) => [read, { ...readAt(2, i, -55), atMs: read.atMs + 300 }]);
  expect(play(reads).at(-1)?.location).toBe(2);
});

test('A move is found with nothing learned and a silent reader that has reported nothing since', () => {
  const reportedUntilMs = (antenna: number) => startMs + (antenna === antennaOf(1) ? 10_000 : 60_000);
  const judgments = play(
    [...readsAt(1, [0, 10]), ...readsAt(2, [20, 30])],
    surroundingsWith({ ...nothingLearned, reportedUntilMs }),
  );
  expect(judgments.at(-1)?.location).toBe(2);
  expect(judgments.find(({ location }) => location === 2)?.movedAtMs).toBe(startMs + 20_000);
});

test('Antennas that do not exist any more are left out', () => {
  const state = play([...readsAt(1, [0, 10]), ...readsAt(2, [11, 12])]).at(-1)?.state;
  const surroundings = surroundingsWith({
    antenna: (key) => (key === antennaOf(1) ? undefined : zone(Math.floor(key / 65536))),
  });
  expect(play(readsAt(2, [20, 30]), surroundings, state).at(-1)?.location).toBe(2);
  expect(play([readAt(1, 31)], surroundings, state)[0]?.state).toBe(state);
});

test('An asset is placed at no location if nothing better is known', () => {
  const surroundings = surroundingsWith({ antenna: (key) => zone(key === antennaOf(9) ? 0 : 1) });
  expect(play([readAt(9, 0)], surroundings)[0]).toMatchObject({ location: 0, movedAtMs: startMs });
  expect(play([readAt(9, 0), ...readsAt(1, [1, 5])], surroundings).at(-1)?.location).toBe(1);
});

test('Without RSSI the numbers of reads decide', () => {
  const reads = readsAt(1, [0, 40], null).flatMap((read, i) =>
    i % 8 === 0 ? [read, readAt(2, i + 0.4, null)] : [read],
  );
  expect(play(reads).every(({ location }) => location === 1)).toBe(true);
  expect(play([...reads, ...readsAt(2, [41, 60], null)]).at(-1)?.location).toBe(2);
});

test('A read that was delivered before changes nothing', () => {
  const reads = [...readsAt(1, [0, 20]), ...readsAt(2, [21, 30])];
  const state = play(reads).at(-1)?.state;
  for (const read of reads) {
    const again = decide(state, read, surroundingsWith());
    expect(again.state).toBe(state);
    expect(again.late).toBeUndefined();
  }
});

test('A read that is late by the jitter of two readers is evidence like any other', () => {
  const reads = [...readsAt(1, [0, 20]), readAt(2, 21)].map((read, i) => (i === 21 ? { ...read, tag: 2 } : read));
  const state = play(reads).at(-1)?.state;
  const judgment = decide(state, { ...readAt(3, 20.5, -68) }, surroundingsWith());
  expect(judgment.state.tallies.at(-1)).toMatchObject({ newReads: 1, lateReads: 0 });
  expect(judgment.state.lastSeenMs).toBe(startMs + 21_000);
});

test('The judged state is not changed in place', () => {
  const state = play(readsAt(1, [0, 5])).at(-1)?.state;
  const before = structuredClone(state);
  play(readsAt(2, [6, 15]), surroundingsWith(), state);
  expect(state).toEqual(before);
});

test('An asset leaves a room whose reader has nothing else to read, even if it is put down far from the next antenna', () => {
  const reportedUntilMs = (antenna: number) => startMs + (antenna === antennaOf(1) ? 300_000 : 330_000);
  const judgments = play(
    [...readsAt(1, [0, 300]), ...readsAt(2, [302, 312], -66)],
    surroundingsWith({ reportedUntilMs }),
  );
  expect(judgments.at(-1)?.location).toBe(2);
});

test('A few weak reads do not move an asset whose reader is offline', () => {
  const reportedUntilMs = (antenna: number) => startMs + (antenna === antennaOf(1) ? 300_000 : 330_000);
  const judgments = play(
    [...readsAt(1, [0, 300]), ...readsAt(2, [302, 304], -70)],
    surroundingsWith({ reportedUntilMs }),
  );
  expect(judgments.at(-1)?.location).toBe(1);
});

test('Without RSSI a move to an antenna that read the asset before is found within two minutes, however long it was elsewhere', () => {
  const readsOfBoth = (own: number, other: number, seconds: readonly [number, number]) =>
    readsAt(own, seconds, null).flatMap((read, i) =>
      i % 2 === 0 ? [read, { ...read, antenna: antennaOf(other), atMs: read.atMs + 400 }] : [read],
    );
  const hour = readsOfBoth(1, 2, [0, 3599]);
  const judgments = play([...hour, ...readsOfBoth(2, 1, [3600, 3720])]);
  expect(judgments[hour.length - 1]?.location).toBe(1);
  expect(judgments.at(-1)?.location).toBe(2);
});
