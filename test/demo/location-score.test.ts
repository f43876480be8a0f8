import { expect, test } from 'vitest';
import { figuresOf, type Placement, scoreAsset, sumOfScores, zoneAt } from '../../demo/location-score.js';

/** An instant in seconds. */
const at = (seconds: number) => seconds * 1000;

function visitsTo(...visits: [seconds: number, zone: string | null][]) {
  return visits.map(([seconds, zone]) => ({ fromMs: at(seconds), zone }));
}

function placementsIn(...placements: [seconds: number, zone: string | null][]): Placement[] {
  return placements.map(([seconds, zone]) => ({ atMs: at(seconds), zone }));
}

const isWithinReach = (zone: string) => zone !== 'HALL';

/** A at first, through the hall to B, back to A, and to C; the day ends at 500 s. */
const visits = visitsTo([0, 'A'], [100, 'HALL'], [110, 'B'], [210, 'HALL'], [220, 'A'], [300, 'C']);
const untilMs = at(500);

test('a report that follows the truth at once is right all the time', () => {
  const placements = placementsIn([2, 'A'], [110, 'B'], [220, 'A'], [300, 'C']);
  const score = scoreAsset({ visits, placements, isWithinReach, untilMs });
  expect(score).toMatchObject({ assets: 1, trueMoves: 3, reportedMoves: 3, delaysMs: [0, 0, 0] });
  // The first minute of the day, 5 s after each other arrival, and the hall are not judged.
  expect(score.judgedMs).toBe(at(40 + 95 + 75 + 195));
  expect(score.correctMs).toBe(score.judgedMs);
  expect(figuresOf(score)).toEqual({ truth: 1, movesRatio: 1, delayP50Ms: 0, delayP95Ms: 0, missed: 0 });
});

test('late, missed and false moves are counted', () => {
  // B is reported 20 s late and interrupted by C for 10 s; the second visit to A is missed; C is 1 s late.
  const placements = placementsIn([2, 'A'], [130, 'B'], [150, 'C'], [160, 'B'], [301, 'C']);
  const score = scoreAsset({ visits, placements, isWithinReach, untilMs });
  expect(score).toMatchObject({ trueMoves: 3, reportedMoves: 4, delaysMs: [at(20), at(1)] });
  expect(score.correctMs).toBe(at(40 + 20 + 50 + 195));
  expect(figuresOf(score)).toMatchObject({
    movesRatio: 4 / 3,
    delayP50Ms: at(1),
    delayP95Ms: at(20),
    missed: 1 - 2 / 3,
  });
});

test('a return through a hall is no move, nor is the first arrival; an unknown location interrupts without one', () => {
  const score = scoreAsset({
    visits: visitsTo([0, null], [50, 'A'], [100, 'HALL'], [110, 'A'], [200, null]),
    placements: placementsIn([60, 'A'], [120, null], [130, 'A']),
    isWithinReach,
    untilMs,
  });
  expect(score).toMatchObject({ trueMoves: 0, reportedMoves: 0, delaysMs: [] });
  expect(score.judgedMs).toBe(at(45 + 85));
  expect(score.correctMs).toBe(at(40 + 5 + 70));
  expect(figuresOf(score)).toMatchObject({ movesRatio: undefined, delayP50Ms: undefined, missed: undefined });
});

test('nothing after the end of the played day is judged', () => {
  const placements = placementsIn([2, 'A'], [110, 'B'], [220, 'A'], [300, 'C']);
  const score = scoreAsset({ visits, placements, isWithinReach, untilMs: at(150) });
  expect(score).toMatchObject({ trueMoves: 1, reportedMoves: 1, judgedMs: at(40 + 35), correctMs: at(40 + 35) });
});

test('scores add up', () => {
  const one = scoreAsset({ visits, placements: placementsIn([2, 'A'], [112, 'B']), isWithinReach, untilMs });
  const other = scoreAsset({ visits, placements: [], isWithinReach, untilMs });
  expect(sumOfScores([one, other])).toEqual({
    assets: 2,
    judgedMs: 2 * one.judgedMs,
    correctMs: one.correctMs,
    trueMoves: 6,
    reportedMoves: 1,
    delaysMs: [at(2)],
  });
});

test('the zone at an instant is the one reported last', () => {
  const placements = placementsIn([2, 'A'], [110, null]);
  expect([1, 2, 109, 110].map((seconds) => zoneAt(placements, at(seconds)))).toEqual([undefined, 'A', 'A', null]);
});
