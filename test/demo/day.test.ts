import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { planDay } from '../../demo/day.js';
import { createRadioModel, type Step, tickMs } from '../../demo/radio.js';
import { readers } from '../../demo/readers.js';
import { hourMs } from '../../demo/shifts.js';
import { routeBetween, zones } from '../../demo/site.js';
import { makeThings } from '../../demo/things.js';

const lengthMs = 2 * hourMs;

/** Returns everything that happens in two hours among a number of assets. */
function play(seed: number, assets = 200) {
  const things = makeThings(seed, assets);
  const journeys = planDay(things, { seed, lengthMs });
  const radio = createRadioModel({ things, journeys, readers }, seed);
  const steps: Step[] = Array.from({ length: lengthMs / tickMs }, () => radio.step());
  return {
    things,
    journeys,
    steps,
    reads: steps.flatMap(({ reads }) => reads),
    moves: steps.flatMap(({ moves }) => moves),
  };
}

/** Hashes a value that is too long to print where it differs. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

test('the same seed gives the same things, movements and reads, another seed gives others', () => {
  const [one, same, other] = [7, 7, 8].map((seed) => {
    const { things, journeys, steps } = play(seed);
    return [things, journeys, steps].map(digestOf);
  });
  expect(same).toEqual(one);
  expect(other?.filter((digest) => one?.includes(digest))).toEqual([]);
});

test('the warehouse has the documented size, and no two tags are equal', () => {
  const things = makeThings(1, 2000);
  const tags = things.flatMap((thing) => thing.tags.map(({ value }) => value));
  expect(zones).toHaveLength(40);
  expect(
    zones.filter(({ parent }, i) => parent !== null && !zones.slice(0, i).some(({ key }) => key === parent)),
  ).toEqual([]);
  expect(readers).toHaveLength(12);
  expect(things.filter(({ kind }) => kind !== 'foreign tag')).toHaveLength(2000);
  expect(new Set(things.map(({ key }) => key)).size).toBe(things.length);
  expect(new Set(tags).size).toBe(tags.length);
});

test('the next day begins where the day before ended, and pallets that were shipped come back', () => {
  const { things, journeys } = play(5);
  const next = planDay(things, { seed: 5, lengthMs, before: { no: 1, journeys } });
  const last = journeys.map((visits) => visits.at(-1)?.zone);
  expect(next.map(([first]) => first?.zone)).toEqual(last);
  const shipped = things.flatMap(({ kind }, index) =>
    kind.endsWith('pallet') && last[index] === null ? (next[index] ?? []) : [],
  );
  expect(shipped.map(({ zone }) => zone)).toContain('YARD');
});

test('things move only between connected zones, and never back in time', () => {
  const { journeys, moves } = play(3);
  for (const visits of journeys) {
    for (const [i, { zone, fromMs }] of visits.slice(1).entries()) {
      const before = visits[i];
      expect(fromMs).toBeGreaterThanOrEqual(before?.fromMs ?? 0);
      if (zone !== null && before?.zone) expect(routeBetween(before.zone, zone)).toEqual([]);
    }
  }
  expect(moves).toHaveLength(journeys.flat().length);
});
