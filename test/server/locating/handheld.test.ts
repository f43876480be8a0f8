import { expect, test } from 'vitest';
import { createSite, explain, judge, judgeScan } from '../../../server/locating/index.js';
import { antennaOf, at, learnFrom, play, readAt, readsAt, surroundingsWith } from './support.js';

test('A scan is authoritative from its instant', () => {
  const state = play(readsAt(1, [0, 20])).at(-1)?.state;
  const judgment = judgeScan(state, { location: 7, atMs: at(21) });
  expect(judgment).toMatchObject({ movedAtMs: at(21), state: { location: 7, reason: 'handheld', previous: 1 } });
});

test('A scan can be the first sighting of an asset', () => {
  expect(judgeScan(undefined, { location: 7, atMs: at(0) })).toMatchObject({
    movedAtMs: at(0),
    state: { location: 7 },
  });
});

test('A scan holds against antennas that hear the asset as they did just after it, and not against a louder one', () => {
  const before = play(readsAt(1, [0, 20], -70)).at(-1)?.state;
  const { state } = judgeScan(before, { location: 7, atMs: at(21) });
  const goesOn = play(readsAt(1, [22, 300], -68), surroundingsWith(), state);
  expect(goesOn.every((judgment) => judgment.state.location === 7)).toBe(true);
  const held = goesOn.at(-1)?.state;
  expect(held && explain(held, surroundingsWith(), at(300)).confidence).toBe(0.99);
  expect(play(readsAt(2, [301, 330], -50), surroundingsWith(), held).at(-1)?.state.location).toBe(2);
});

test('Where an antenna of the scanned location hears the asset as well, that antenna speaks for it from then on', () => {
  const { state } = judgeScan(undefined, { location: 1, atMs: at(0) });
  const heard = play(readsAt(1, [1, 20]), surroundingsWith(), state).at(-1)?.state;
  expect(heard).toMatchObject({ scanDb: null, location: 1 });
});

test('The antenna of the scanned location speaks for it also if it reads a tag that stands only once a minute', () => {
  const site = createSite();
  learnFrom(site, readsAt(1, [0, 60]));
  const { state } = judgeScan(undefined, { location: 1, atMs: at(100) });
  const heard = learnFrom(site, [...readsAt(1, [101, 105]), readAt(1, 165), readAt(1, 225)], state);
  expect(heard).toMatchObject({ scanDb: null, location: 1 });
  expect(learnFrom(site, readsAt(2, [260, 275], -60), heard)?.location).toBe(2);
});

test('That antenna speaks for the location also if it hardly hears the asset later', () => {
  const { state } = judgeScan(undefined, { location: 1, atMs: at(0) });
  const heard = play([...readsAt(1, [1, 9], -55), readAt(1, 20, -68)], surroundingsWith(), state).at(-1)?.state;
  expect(play(readsAt(2, [600, 630], -57), surroundingsWith(), heard).at(-1)?.state.location).toBe(2);
});

test('A scan that is older than what decided is answered as late', () => {
  const state = play([...readsAt(1, [0, 20]), ...readsAt(2, [30, 40])]).at(-1)?.state;
  const judgment = judgeScan(state, { location: 7, atMs: at(10) });
  expect(judgment).toEqual({ state, movedAtMs: null, late: { location: 7, atMs: at(10) } });
});

test('Reads before a scan are late after it', () => {
  const { state } = judgeScan(undefined, { location: 7, atMs: at(30) });
  expect(judge(state, readAt(1, 28), surroundingsWith())).toMatchObject({
    movedAtMs: null,
    state: { location: 7, tallies: [] },
  });
});

test('During a calibration fixed reads do not move the asset, and each ten seconds teach the picture of the location', () => {
  const site = createSite();
  const { state } = judgeScan(undefined, { location: 1, atMs: at(0), labelUntilMs: at(60) });
  const reads = readsAt(1, [1, 70], -62).flatMap((read) => [read, readAt(2, (read.atMs - at(0)) / 1000 + 0.5, -50)]);
  const calibrated = learnFrom(site, reads.slice(0, 118), state);
  expect(calibrated?.location).toBe(1);
  const picture = site.surroundings.picture(1);
  expect(picture?.visits).toBeGreaterThanOrEqual(25);
  const below = picture?.antennas.get(antennaOf(1));
  expect((below?.sumDb ?? 0) / (below?.visits ?? 1)).toBeCloseTo(-12, 0);
  // After a calibration the asset stays where the picture says, although another antenna is louder.
  expect(learnFrom(site, reads.slice(118), calibrated)?.location).toBe(1);
});

test('Two calibrated locations with overlapping antennas are told apart', () => {
  const site = createSite();
  const levels = (location: number): [number, number] => (location === 1 ? [-60, -56] : [-68, -55]);
  const readsOf = (location: number, seconds: readonly [number, number]) =>
    readsAt(1, seconds, levels(location)[0]).flatMap((read) => [
      read,
      { ...readAt(2, 0, levels(location)[1]), atMs: read.atMs + 400 },
    ]);
  for (const location of [1, 2]) {
    const scan = { location, atMs: at(1000 * location), labelUntilMs: at(1000 * location + 60) };
    learnFrom(site, readsOf(location, [1000 * location + 1, 1000 * location + 80]), judgeScan(undefined, scan).state);
  }
  const first = learnFrom(site, readsOf(1, [5000, 5060]));
  expect(first?.location).toBe(1);
  const second = learnFrom(site, readsOf(2, [5061, 5120]), first);
  expect(second).toMatchObject({ location: 2, reason: 'picture' });
});
