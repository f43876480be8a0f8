import { expect, test } from 'vitest';
import { type Clock, createClock, effectiveMs, observeClock } from '../../../server/locating/clock.js';
import { startMs } from './support.js';

/** Messages once a second, with stamps that are off and delays that differ. */
function observe(clock: Clock, { offMs, from, until }: { offMs: number; from: number; until: number }): Clock {
  let known = clock;
  for (let second = from; second <= until; second += 1) {
    const trueMs = startMs + second * 1000;
    known = observeClock(known, { stampMs: trueMs + offMs, receivedMs: trueMs + 50 + (second % 7) * 40 });
  }
  return known;
}

test('The times of a new reader are used unchanged', () => {
  expect(effectiveMs(createClock(), { stampMs: startMs - 5000, receivedMs: startMs })).toBe(startMs - 5000);
});

test('A clock three minutes behind is learned after a minute', () => {
  const before = observe(createClock(), { offMs: -180_000, from: 0, until: 50 });
  expect(before.offsetMs).toBe(0);
  const after = observe(before, { offMs: -180_000, from: 51, until: 70 });
  expect(Math.abs(after.offsetMs - 180_000)).toBeLessThan(300);
  expect(Number.isInteger(after.offsetMs)).toBe(true);
});

test('A clock two hours ahead is learned within seconds, and never trusted ahead until then', () => {
  expect(effectiveMs(createClock(), { stampMs: startMs + 7_200_000, receivedMs: startMs })).toBe(startMs);
  const clock = observe(createClock(), { offMs: 7_200_000, from: 0, until: 5 });
  expect(Math.abs(clock.offsetMs + 7_200_000)).toBeLessThan(300);
});

test('The reads that a reader sends after an outage are never learned', () => {
  let clock = observe(createClock(), { offMs: 0, from: 0, until: 90 });
  // Fifteen minutes of reads, sent within ten minutes while new ones are made.
  for (let i = 0; i < 600; i += 1) {
    clock = observeClock(clock, { stampMs: startMs + 100_000 + i * 2500, receivedMs: startMs + 1_000_000 + i * 1000 });
    expect(clock.offsetMs).toBe(0);
  }
  for (let i = 0; i < 900; i += 1) {
    clock = observeClock(clock, { stampMs: startMs + i * 1000, receivedMs: startMs + 2_000_000 + i * 20 });
  }
  expect(clock.offsetMs).toBe(0);
});

test('A single absurd stamp does not shift later ones', () => {
  let clock = observe(createClock(), { offMs: 0, from: 0, until: 90 });
  clock = observeClock(clock, { stampMs: startMs + 31_536_000_000, receivedMs: startMs + 91_000 });
  clock = observeClock(clock, { stampMs: 0, receivedMs: startMs + 92_000 });
  expect(observe(clock, { offMs: 0, from: 93, until: 300 }).offsetMs).toBe(0);
});

test('The offset stays exactly the same while the clock is right within a second, and follows a drift in steps', () => {
  const clock = observe(createClock(), { offMs: -180_000, from: 0, until: 70 });
  for (const offMs of [-180_400, -179_700, -180_000]) {
    expect(observe(clock, { offMs, from: 71, until: 400 }).offsetMs).toBe(clock.offsetMs);
  }
  expect(Math.abs(observe(clock, { offMs: -183_000, from: 71, until: 400 }).offsetMs - 183_000)).toBeLessThan(300);
});

test('A restored offset is used at once; a missing stamp counts as its receipt', () => {
  const clock = createClock(180_000);
  expect(effectiveMs(clock, { stampMs: startMs - 180_000, receivedMs: startMs })).toBe(startMs);
  expect(effectiveMs(clock, { stampMs: null, receivedMs: startMs })).toBe(startMs);
});
