import { expect, test } from 'vitest';
import { decide, decideHandheld } from '../../../server/locating/index.js';
import { antennaOf, play, readAt, readsAt, startMs, surroundingsWith } from './support.js';

const at = (seconds: number) => startMs + seconds * 1000;

test('A scan is authoritative from its instant', () => {
  const state = play(readsAt(1, [0, 20])).at(-1)?.state;
  const judgment = decideHandheld(state, { location: 7, atMs: at(21) }, surroundingsWith());
  expect(judgment).toMatchObject({ location: 7, movedAtMs: at(21), state: { reason: 'handheld' } });
});

test('A scan is the first that is known of an asset', () => {
  expect(decideHandheld(undefined, { location: 7, atMs: at(0) }, surroundingsWith())).toMatchObject({
    location: 7,
    movedAtMs: at(0),
  });
});

test('Fixed reads that go on as before do not overrule a scan; a run that begins later does', () => {
  const before = play(readsAt(1, [0, 20])).at(-1)?.state;
  const { state } = decideHandheld(before, { location: 7, atMs: at(21) }, surroundingsWith());
  const goesOn = play(readsAt(1, [22, 60]), surroundingsWith(), state);
  expect(goesOn.every(({ location }) => location === 7)).toBe(true);
  expect(play(readsAt(2, [61, 70]), surroundingsWith(), goesOn.at(-1)?.state).at(-1)?.location).toBe(2);
});

test('A scan that is older than what decided is answered as late', () => {
  const state = play([...readsAt(1, [0, 20]), ...readsAt(2, [30, 40])]).at(-1)?.state;
  const judgment = decideHandheld(state, { location: 7, atMs: at(10) }, surroundingsWith());
  expect(judgment).toMatchObject({ location: 2, movedAtMs: null, late: { location: 7, atMs: at(10) } });
  expect(judgment.state).toBe(state);
});

test('Reads before a scan are late after it', () => {
  const { state } = decideHandheld(undefined, { location: 7, atMs: at(30) }, surroundingsWith());
  expect(decide(state, readAt(1, 28), surroundingsWith())).toMatchObject({ location: 7, movedAtMs: null });
});

test('Fixed reads shortly after a scan are of its visit', () => {
  const { state } = decideHandheld(undefined, { location: 7, atMs: at(0) }, surroundingsWith());
  const talliesAfter = (seconds: number) => decide(state, readAt(1, seconds, -61), surroundingsWith()).state.tallies;
  expect(talliesAfter(2)).toMatchObject([{ reads: 1, newReads: 0 }]);
  expect(talliesAfter(600)).toMatchObject([{ reads: 0, newReads: 1 }]);
});

test('During a calibration fixed reads are of its visit and do not move the asset', () => {
  const scan = { location: 7, atMs: at(0), labelUntilMs: at(120) };
  const { state } = decideHandheld(undefined, scan, surroundingsWith());
  const judgments = play([...readsAt(1, [1, 60]), ...readsAt(2, [61, 120])], surroundingsWith(), state);
  expect(judgments.every(({ location, state: { changeMs } }) => location === 7 && changeMs === 0)).toBe(true);
});

test('What antennas observed at a scan is learned with its label', () => {
  const state = play(readsAt(1, [0, 20])).at(-1)?.state;
  const { pattern } = decideHandheld(state, { location: 7, atMs: at(21) }, surroundingsWith());
  expect(pattern).toMatchObject({ label: 7, observations: [{ antenna: antennaOf(1), levelDbm: -57 }] });
});
