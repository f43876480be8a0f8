import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createDayClock } from '../../demo/clock.js';

const { signal } = new AbortController();

/** A clock that is never too early, in a real time that the test sets. */
function createClock(speed: number) {
  let realMs = 1_000_000;
  const clock = createDayClock({ speed, realNow: () => realMs, signal });
  return {
    clock,
    /** The instant of the day is reached at this real one. */
    async reachAt(dayMs: number, atMs: number) {
      realMs = atMs;
      await clock.reach(dayMs);
    },
    passTo(atMs: number) {
      realMs = atMs;
    },
  };
}

test('an instant of the day was at the real instant between the steps around it', async () => {
  const { clock, reachAt } = createClock(100);
  await reachAt(2000, 1_000_020);
  await reachAt(4000, 1_000_060);
  expect(clock.now()).toBe(4000);
  expect([0, 1000, 2000, 3000, 4000].map(clock.realAt)).toEqual([
    1_000_000, 1_000_010, 1_000_020, 1_000_040, 1_000_060,
  ]);
  // A clock that is behind shows an instant before the day.
  expect(clock.realAt(-60_000)).toBe(999_400);
});

test('while the day stands still no time of the day passes', async () => {
  const { clock, reachAt, passTo } = createClock(100);
  await reachAt(2000, 1_000_020);
  passTo(1_005_000);
  clock.goOn();
  // Not due yet, however long the day stood still.
  const reached = clock.reach(4000);
  expect(await Promise.race([reached.then(() => 'reached'), nextTurn('waiting')])).toBe('waiting');
  passTo(1_005_020);
  await reached;
  expect([1999, 2000, 3000].map(clock.realAt)).toEqual([1_000_020, 1_005_000, 1_005_010]);
});

test('as fast as can be, the day is taken to have run before as fast as it has since', async () => {
  const { clock, reachAt } = createClock(Number.POSITIVE_INFINITY);
  await reachAt(2000, 1_000_010);
  await reachAt(4000, 1_000_020);
  expect(clock.realAt(-2000)).toBe(999_990);
});

test('it waits until an instant is due, and no longer once the day is to end', async () => {
  const ending = new AbortController();
  const clock = createDayClock({ speed: 100, realNow: Date.now, signal: ending.signal });
  await clock.reach(2000);
  expect(clock.realAt(2000) - clock.realAt(0)).toBeGreaterThanOrEqual(19);
  const reached = clock.reach(100_000_000);
  ending.abort();
  await reached;
});

test('what no clock is behind by is forgotten, and the rest remembered as it was', async () => {
  const { clock, reachAt } = createClock(1000);
  const realAtStep = (step: number) => 1_000_000 + step * 2 + Math.floor(step / 7) * 20;
  for (let step = 1; step <= 601; step += 1) await reachAt(step * 2000, realAtStep(step));
  for (const step of [301, 302, 303, 601]) expect(clock.realAt(step * 2000)).toBe(realAtStep(step));
});
