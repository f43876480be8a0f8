import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDayClock } from '../../demo/clock.js';

const { signal } = new AbortController();

/** Creates a clock that never has to wait, in a real time that the test sets. */
function createClock(speed: number) {
  let realMs = 1_000_000;
  const clock = createDayClock({ speed, realNow: () => realMs, signal });
  return {
    clock,
    /** Reaches an instant of the day at a real instant. */
    async reachAt(dayMs: number, atMs: number) {
      realMs = atMs;
      await clock.reach(dayMs);
    },
    passTo(atMs: number) {
      realMs = atMs;
    },
  };
}

test('instants of the day and real instants are interpolated between steps', async () => {
  const { clock, reachAt } = createClock(100);
  await reachAt(2000, 1_000_020);
  await reachAt(4000, 1_000_060);
  expect(clock.now()).toBe(4000);
  expect([0, 1000, 2000, 3000, 4000].map(clock.realAt)).toEqual([
    1_000_000, 1_000_010, 1_000_020, 1_000_040, 1_000_060,
  ]);
  expect([1_000_000, 1_000_010, 1_000_020, 1_000_040, 1_000_060].map(clock.dayAt)).toEqual([0, 1000, 2000, 3000, 4000]);
  // A reader's clock that is behind shows an instant before the day; nothing is received then.
  expect(clock.realAt(-60_000)).toBe(999_400);
  expect([999_000, 1_000_090].map(clock.dayAt)).toEqual([0, 4000]);
});

test('no time of the day passes during a pause', async () => {
  const { clock, reachAt, passTo } = createClock(100);
  await reachAt(2000, 1_000_020);
  passTo(1_005_000);
  clock.resume();
  // The pause does not count toward the next step.
  const reached = clock.reach(4000);
  expect(await Promise.race([reached.then(() => 'reached'), nextTurn('waiting')])).toBe('waiting');
  passTo(1_005_020);
  await reached;
  expect([1999, 2000, 3000].map(clock.realAt)).toEqual([1_000_020, 1_005_000, 1_005_010]);
  expect([1_000_020, 1_003_000, 1_005_000, 1_005_010].map(clock.dayAt)).toEqual([2000, 2000, 2000, 3000]);
});

test('at maximum speed the time before the day has the speed since then', async () => {
  const { clock, reachAt } = createClock(Number.POSITIVE_INFINITY);
  await reachAt(2000, 1_000_010);
  await reachAt(4000, 1_000_020);
  expect(clock.realAt(-2000)).toBe(999_990);
});

test('reach waits until an instant is due, but no longer than until the day is ended', async () => {
  const ending = new AbortController();
  const clock = createDayClock({ speed: 100, realNow: Date.now, signal: ending.signal });
  await clock.reach(2000);
  expect(clock.realAt(2000) - clock.realAt(0)).toBeGreaterThanOrEqual(19);
  const reached = clock.reach(100_000_000);
  ending.abort();
  await reached;
});

test('all steps of a long day are remembered in both directions', async () => {
  const { clock, reachAt } = createClock(1000);
  const realAtStep = (step: number) => 1_000_000 + step * 2 + Math.floor(step / 7) * 20;
  for (let step = 1; step <= 2000; step += 1) await reachAt(step * 2000, realAtStep(step));
  for (const step of [1, 6, 7, 8, 1000, 2000]) {
    expect(clock.realAt(step * 2000)).toBe(realAtStep(step));
    expect(clock.dayAt(realAtStep(step))).toBe(step * 2000);
  }
});
