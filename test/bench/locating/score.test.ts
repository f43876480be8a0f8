import { expect, it } from 'vitest';
import { calibrationError } from '../../../bench/locating/reliability.js';
import { createScorer, measuresOf, type Score, sumScores, type Truth } from '../../../bench/locating/score.js';

const startMs = Date.UTC(2026, 0, 5, 6);

const at = (second: number) => startMs + second * 1000;

function visit(location: number, from: number, until: number) {
  return { location, fromMs: at(from), untilMs: at(until) };
}

function truth(visits: Truth['visits'], endSecond: number): Truth {
  return { visits, portals: new Set([9]), startMs, endMs: at(endSecond), movesFromMs: startMs };
}

function scoreOf(ofTruth: Truth, report: (scorer: ReturnType<typeof createScorer>) => void): Score {
  const scorer = createScorer(ofTruth);
  report(scorer);
  return { ...scorer.finish(), reads: 10, cpuMs: 1 };
}

it('counts time at the true location after the first five seconds', () => {
  const score = scoreOf(truth([[visit(1, 0, 100), visit(2, 100, 200)]], 200), ({ moved }) => {
    moved(0, 1, { atMs: at(20) });
    moved(0, 2, { atMs: at(103) });
    moved(0, 1, { atMs: at(150) });
    moved(0, 2, { atMs: at(160) });
  });
  // 95 s count of each visit. Of the first, 20 to 100 s are right, of the second 105 to 150 s and 160 to 200 s.
  expect(score.coveredMs).toBe(190_000);
  expect(score.correctMs).toBe(80_000 + 45_000 + 40_000);
  expect(score.trueMoves).toBe(1);
  expect(score.reportedMoves).toBe(3);
  expect(score.delaysMs).toEqual([3000]);
});

it('does not count time outside of all locations, nor the return to the same one as a move', () => {
  const visits = [visit(1, 0, 50), visit(0, 50, 100), visit(1, 100, 150), visit(2, 150, 200)];
  const score = scoreOf(truth([visits], 200), ({ moved }) => {
    moved(0, 1, { atMs: at(0) });
    moved(0, 2, { atMs: at(170) });
  });
  expect(score.coveredMs).toBe(3 * 45_000);
  expect(score.correctMs).toBe(45_000 + 45_000 + 30_000);
  expect(score.trueMoves).toBe(1);
  expect(score.delaysMs).toEqual([20_000]);
});

it('counts a move and what replaces it once, and not at all if the asset is where it was', () => {
  const sides = { ...truth([[visit(1, 0, 100)]], 100), sideOf: [0, 0, 0, 1] };
  const score = scoreOf(sides, ({ moved }) => {
    moved(0, 1, { atMs: at(0) });
    moved(0, 3, { atMs: at(20) });
    moved(0, 2, { atMs: at(23), replaces: true });
    moved(0, 3, { atMs: at(40) });
    moved(0, 2, { atMs: at(44), replaces: true });
  });
  expect(score.reportedMoves).toBe(1);
  expect(score.falsePassages).toBe(0);
});

it('counts a move that is reported only after the asset has moved on as missed', () => {
  const score = scoreOf(truth([[visit(1, 0, 50), visit(2, 50, 60), visit(3, 60, 100)]], 100), ({ moved }) => {
    moved(0, 1, { atMs: at(0) });
    moved(0, 2, { atMs: at(65) });
    moved(0, 3, { atMs: at(70) });
  });
  expect(score.trueMoves).toBe(2);
  expect(score.foundMoves).toBe(1);
  expect(measuresOf(score).missedPercent).toBe(50);
});

it('counts a move as found at once where the asset was reported there already', () => {
  const score = scoreOf(truth([[visit(1, 0, 50), visit(2, 50, 100)]], 100), ({ moved }) => {
    moved(0, 1, { atMs: at(0) });
    moved(0, 2, { atMs: at(40) });
  });
  expect(score.delaysMs).toEqual([0]);
});

it('leaves out what happens before the measured time, but not where it leaves the asset', () => {
  const score = scoreOf(truth([[visit(1, -100, 0), visit(2, 0, 50)]], 50), ({ moved, passed }) => {
    moved(0, 3, { atMs: at(-90) });
    moved(0, 1, { atMs: at(-80) });
    passed({ asset: 0, location: 9, atMs: at(-50) });
    moved(0, 2, { atMs: at(10) });
  });
  expect(score.coveredMs).toBe(45_000);
  expect(score.correctMs).toBe(40_000);
  expect(score.trueMoves).toBe(1);
  expect(score.reportedMoves).toBe(1);
  expect(score.falsePassages).toBe(0);
});

it('counts a departure and the return to the same location as no move', () => {
  const score = scoreOf(truth([[visit(1, 0, 100)]], 100), ({ moved }) => {
    moved(0, 1, { atMs: at(0) });
    moved(0, 0, { atMs: at(30) });
    moved(0, 1, { atMs: at(40) });
  });
  expect(score.reportedMoves).toBe(0);
  expect(score.correctMs).toBe(85_000);
});

it('finds each passage once', () => {
  const visits = [visit(1, 0, 50), visit(9, 50, 55), visit(2, 55, 100), visit(9, 100, 104), visit(1, 104, 150)];
  const passagesAt = (...seconds: number[]) =>
    scoreOf(truth([visits], 150), ({ passed }) => {
      for (const second of seconds) passed({ asset: 0, location: 9, atMs: at(second) });
    });
  expect(passagesAt(51, 101)).toMatchObject({ truePassages: 2, foundPassages: 2, falsePassages: 0 });
  expect(passagesAt(51, 53)).toMatchObject({ truePassages: 2, foundPassages: 1, falsePassages: 1 });
  expect(passagesAt(30, 59, 112)).toMatchObject({ truePassages: 2, foundPassages: 1, falsePassages: 2 });
});

it('takes the percentiles of all worlds together', () => {
  const score = (delaysMs: number[]): Score => ({
    ...{ coveredMs: 1000, correctMs: 900, trueMoves: 4, foundMoves: delaysMs.length, delaysMs, reportedMoves: 5 },
    ...{ truePassages: 0, foundPassages: 0, falsePassages: 0, reliability: [], reads: 1000, cpuMs: 2 },
  });
  const measures = measuresOf(sumScores([score([1000, 4000]), score([2000, 3000])]));
  expect(measures).toMatchObject({ truthPercent: 90, movesRatio: 1.25, delayP50S: 2, delayP95S: 4, missedPercent: 50 });
  expect(measures.passagesPercent).toBeNaN();
  expect(measures.microsecondsPerRead).toBe(2);
});

it('counts a change of sides as a passage through the door, in time until the asset goes back', () => {
  const visits = [visit(1, 0, 50), visit(2, 55, 80), visit(3, 80, 120), visit(1, 125, 200)];
  const score = scoreOf({ ...truth([visits], 200), sideOf: [0, 1, 2, 2] }, ({ moved }) => {
    moved(0, 1, { atMs: at(0) });
    moved(0, 2, { atMs: at(60) });
    moved(0, 3, { atMs: at(85) });
    moved(0, 1, { atMs: at(100) });
    moved(0, 3, { atMs: at(101) });
    moved(0, 1, { atMs: at(130) });
  });
  // There and back is found; there and back between 100 and 101 s is false.
  expect(score).toMatchObject({ truePassages: 2, foundPassages: 2, falsePassages: 2 });
});

it('compares the confidence of positions with the share that is right', () => {
  const score = scoreOf(truth([[visit(1, 0, 50), visit(2, 50, 100)]], 100), ({ moved, shown }) => {
    moved(0, 1, { atMs: at(0) });
    for (let second = 1; second <= 100; second += 1) shown(0, 0.9, at(second));
  });
  // 45 s of each visit count; the asset was reported at 1 during all of them.
  const { confidence, right, count } = score.reliability.find((bin) => bin.count > 0) ?? {};
  expect(count).toBe(90);
  expect(confidence).toBeCloseTo(81);
  expect(right).toBe(45);
  expect(calibrationError(score.reliability)).toBeCloseTo(0.4);
});
