import { expect, test } from 'vitest';
import { judge } from '../../../server/locating/index.js';
import { antennaOf, at, play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

const last = (reads: Parameters<typeof play>[0]) => play(reads).at(-1)?.state.location;

test('The first read places the asset', () => {
  const [judgment] = play([readAt(3, 0)]);
  expect(judgment).toMatchObject({ movedAtMs: startMs, state: { location: 3, reason: 'first' } });
});

test('Reads of a new location move the asset within three reads, from the first of them on', () => {
  const judgments = play([...readsAt(1, [0, 29]), ...readsAt(2, [32, 36])]);
  const move = judgments.findIndex(({ state }) => state.location === 2);
  expect(move).toBeLessThanOrEqual(32);
  expect(judgments[move]).toMatchObject({ movedAtMs: expect.closeTo(at(32), -4), state: { previous: 1 } });
});

test('Weak reads of a neighboring antenna do not move the asset', () => {
  const reads = Array.from({ length: 60 }, (_, i) => (i % 10 === 9 ? readAt(2, i, -69) : readAt(1, i)));
  expect(play(reads).every(({ state }) => state.location === 1)).toBe(true);
});

test('The louder of two antennas that read the asset at once decides', () => {
  const reads = readsAt(1, [0, 20], -70).flatMap((read, i) => [read, { ...readAt(2, i, -55), atMs: read.atMs + 300 }]);
  expect(last(reads)).toBe(2);
});

test('A location that is 10 dB ahead needs a second, and longer the longer the asset has stood still', () => {
  const secondsAfter = (stayed: number) => {
    const reads = Array.from({ length: 200 }, (_, i) => [
      readAt(1, stayed + i / 10, -65),
      readAt(2, stayed + i / 10 + 0.05, -55),
    ]).flat();
    const judgments = play([...readsAt(1, [0, stayed - 1], -55), ...reads]);
    const move = judgments.find(({ state }) => state.location === 2);
    return ((move?.state.lastSeenMs ?? Number.POSITIVE_INFINITY) - at(stayed)) / 1000;
  };
  expect(secondsAfter(2)).toBeLessThan(2.5);
  expect(secondsAfter(600)).toBeGreaterThan(secondsAfter(2) + 1);
  expect(secondsAfter(600)).toBeLessThan(8);
});

test('An asset leaves a room whose reader reads nothing any more', () => {
  const reader = (antenna: number) => ({ untilMs: antenna === antennaOf(1) ? at(300) : at(330), gapMs: 1000 });
  const judgments = play([...readsAt(1, [0, 300]), ...readsAt(2, [302, 330], -66)], surroundingsWith({ reader }));
  expect(judgments.at(-1)?.state.location).toBe(2);
});

test('A few weak reads do not move an asset whose reader is offline', () => {
  const reader = (antenna: number) => ({ untilMs: antenna === antennaOf(1) ? at(300) : at(330), gapMs: 1000 });
  const judgments = play([...readsAt(1, [0, 300]), ...readsAt(2, [302, 304], -75)], surroundingsWith({ reader }));
  expect(judgments.at(-1)?.state.location).toBe(1);
});

test('An asset is placed at no location if nothing better is known', () => {
  const [first] = play([readAt(0, 0)]);
  expect(first).toMatchObject({ movedAtMs: startMs, state: { location: 0 } });
  expect(last([readAt(0, 0), ...readsAt(1, [1, 15])])).toBe(1);
});

test('Without RSSI the antenna that reads more often decides', () => {
  const reads = readsAt(1, [0, 40], null).flatMap((read, i) =>
    i % 8 === 0 ? [read, readAt(2, i + 0.4, null)] : [read],
  );
  expect(play(reads).every(({ state }) => state.location === 1)).toBe(true);
  expect(last([...reads, ...readsAt(2, [41, 80], null)])).toBe(2);
});

test('A tag on the far side of an asset does not hold it back', () => {
  const both = (location: number, seconds: readonly [number, number], [near, far]: readonly [number, number]) =>
    readsAt(location, seconds, near).flatMap((read) => [
      read,
      { ...read, tag: 2, rssiDbm: far, atMs: read.atMs + 200 },
    ]);
  const reads = [...both(1, [0, 30], [-55, -69]), ...both(2, [33, 50], [-56, -70])];
  const stray = Array.from({ length: 8 }, (_, i) => ({ ...readAt(1, 34 + 2 * i, -70), tag: 2 }));
  expect(last([...reads, ...stray].sort((one, other) => one.atMs - other.atMs))).toBe(2);
});

test('A read that was delivered before changes nothing', () => {
  const reads = [...readsAt(1, [0, 20]), ...readsAt(2, [21, 30])];
  const state = play(reads).at(-1)?.state;
  for (const read of reads) expect(judge(state, read, surroundingsWith())).toEqual({ state, movedAtMs: null });
});

test('The judged state is not changed in place', () => {
  const state = play(readsAt(1, [0, 5])).at(-1)?.state;
  const before = structuredClone(state);
  play(readsAt(2, [6, 15]), surroundingsWith(), state);
  expect(state).toEqual(before);
});

test('An asset keeps the twenty antennas that have read it last', () => {
  const state = play(Array.from({ length: 25 }, (_, i) => readAt(i + 1, i))).at(-1)?.state;
  expect(state?.tallies).toHaveLength(20);
  expect(state?.tallies.some(({ antenna }) => antenna === antennaOf(25))).toBe(true);
  expect(state?.tallies.some(({ antenna }) => antenna === antennaOf(2))).toBe(false);
});

test('An asset that passes a portal is a passage, and the next zone ends it', () => {
  const portal = readsAt(9, [31, 36], -50).map((read) => ({ ...read, kind: 'portal' as const }));
  const judgments = play([...readsAt(1, [0, 30], -60), ...portal, ...readsAt(2, [37, 45], -50)]);
  const moves = judgments
    .filter(({ movedAtMs }) => movedAtMs !== null)
    .map(({ state }) => [state.location, state.reason]);
  expect(moves).toEqual([
    [1, 'first'],
    [9, 'portal'],
    [2, 'moved'],
  ]);
});

test('A tag that waits within reach of a portal that asks three times as often is no passage', () => {
  const reads = Array.from({ length: 360 }, (_, i) => {
    const portal = { ...readAt(9, i / 3, -68 + (i % 4)), kind: 'portal' as const };
    return i % 4 === 0 ? [readAt(1, i / 3 + 0.1, -58 - (i % 3)), portal] : [portal];
  }).flat();
  const waiting = play([readAt(1, -1), ...reads]);
  expect(waiting.every(({ state }) => state.location === 1)).toBe(true);
});

test('A tag that is carried past an antenna, which hears it 15 dB more quietly than its location did, is not told there', () => {
  const stood = play(readsAt(1, [0, 120], -57)).at(-1)?.state;
  const carriedPast = play(readsAt(2, [126, 130], -72), surroundingsWith(), stood).at(-1)?.state;
  expect(carriedPast?.location).toBe(1);
  expect(play(readsAt(3, [131, 134], -58), surroundingsWith(), carriedPast).at(-1)?.state.location).toBe(3);
  expect(play(readsAt(2, [131, 140], -72), surroundingsWith(), carriedPast).at(-1)?.state.location).toBe(2);
});
