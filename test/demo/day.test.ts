import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAir, type Step, tickMs } from '../../demo/air.js';
import { planDay } from '../../demo/day.js';
import { isCovered, readers } from '../../demo/readers.js';
import { hourMs } from '../../demo/shifts.js';
import { leaksInto, wayBetween, zones } from '../../demo/site.js';
import { makeThings } from '../../demo/things.js';

const lengthMs = 2 * hourMs;

/** Everything that happens in two hours among so many assets. */
function play(seed: number, assets = 200) {
  const things = makeThings(seed, assets);
  const stays = planDay(things, { seed, lengthMs });
  const air = createAir({ things, stays, readers }, seed);
  const steps: Step[] = Array.from({ length: lengthMs / tickMs }, () => air.step());
  return {
    things,
    stays,
    steps,
    reads: steps.flatMap(({ reads }) => reads),
    moves: steps.flatMap(({ moves }) => moves),
  };
}

/** A difference among thousands of reads is nothing to print. */
function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

test('a seed makes the same things go the same ways and be read the same, another seed others', () => {
  const [one, same, other] = [7, 7, 8].map((seed) => {
    const { things, stays, steps } = play(seed);
    return [things, stays, steps].map(digestOf);
  });
  expect(same).toEqual(one);
  expect(other?.filter((digest) => one?.includes(digest))).toEqual([]);
});

test('the warehouse is as large as it is said to be, and every tag is one of a kind', () => {
  const things = makeThings(1, 2000);
  const tags = things.flatMap((thing) => thing.tags.map(({ value }) => value));
  expect(zones).toHaveLength(40);
  expect(
    zones.filter(({ parent }, i) => parent !== null && !zones.slice(0, i).some(({ key }) => key === parent)),
  ).toEqual([]);
  expect(readers).toHaveLength(12);
  expect(things.filter(({ kind }) => kind !== 'stranger')).toHaveLength(2000);
  expect(new Set(things.map(({ key }) => key)).size).toBe(things.length);
  expect(new Set(tags).size).toBe(tags.length);
});

test('things go on foot: from a zone only into one that has a door to it, and never back in time', () => {
  const { stays, moves } = play(3);
  for (const journey of stays) {
    for (const [i, { zone, fromMs }] of journey.slice(1).entries()) {
      const before = journey[i];
      expect(fromMs).toBeGreaterThanOrEqual(before?.fromMs ?? 0);
      if (zone !== null && before?.zone) expect(wayBetween(before.zone, zone)).toEqual([]);
    }
  }
  expect(moves).toHaveLength(stays.flat().length);
});

test('what is new in a field is read at every step, and later once a minute', () => {
  const { things, steps } = play(1);
  const lastMovedAt = new Map<number, number>();
  const ages: number[] = [];
  let arrivals = 0;
  for (const { moves, reads } of steps) {
    for (const { thing, zone, atMs } of moves) {
      const tagTypes = things[thing]?.tags.map(({ type }) => type) ?? [];
      if (atMs > 0 && zone !== null && isCovered(zone, tagTypes)) arrivals += 1;
      lastMovedAt.set(thing, atMs);
    }
    for (const read of reads) {
      const movedAt = lastMovedAt.get(read.thing) ?? 0;
      if (movedAt > 0 && !read.isStray) ages.push(read.atMs - movedAt);
    }
  }
  const younger = (ageMs: number) => ages.filter((age) => age < ageMs).length;
  expect(younger(20_000)).toBeGreaterThan(6 * arrivals);
  expect(younger(80_000) - younger(20_000)).toBeLessThan(2 * arrivals);
  expect(younger(80_000) - younger(20_000)).toBeGreaterThan(0.5 * arrivals);
});

test('an antenna misses some reads, and some are of a neighbour and weaker', () => {
  const { steps, reads } = play(1);
  const lost = steps.reduce((sum, { lostReads }) => sum + lostReads, 0);
  const own = reads.filter(({ isStray }) => !isStray);
  const strays = reads.filter(({ isStray }) => isStray);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const rfidOf = (of: typeof reads) => of.filter(({ reader }) => readers[reader]?.vendor.tagType === 'rfid');

  expect(lost / (own.length + lost)).toBeGreaterThan(0.03);
  expect(lost / (own.length + lost)).toBeLessThan(0.15);
  expect(strays.length / reads.length).toBeGreaterThan(0.03);
  expect(strays.length / reads.length).toBeLessThan(0.3);
  expect(mean(rfidOf(strays).map(({ rssiDbm }) => rssiDbm))).toBeLessThan(
    mean(rfidOf(own).map(({ rssiDbm }) => rssiDbm)) - 8,
  );
});

test('a zone leaks into an antenna’s field in one way at most', () => {
  for (const { key } of zones) {
    const heard = leaksInto(key).map(({ zone }) => zone);
    expect([key, heard.toSorted()]).toEqual([key, [...new Set(heard)].toSorted()]);
  }
});
