import { expect, test } from 'vitest';
import { createSite, judgeScan, type LocatingRead, type Site } from '../../../server/locating/index.js';
import { antennaOf, at, learnFrom, readAt, readsAt } from './support.js';

/** Calibrates a location for a minute while antennas read the asset. */
function calibrate(site: Site, location: number, reads: readonly LocatingRead[]): void {
  const fromMs = (reads[0]?.atMs ?? 0) - 1;
  learnFrom(site, reads, judgeScan(undefined, { location, atMs: fromMs, labelUntilMs: fromMs + 62_000 }).state);
}

const sorted = (...reads: LocatingRead[][]) => reads.flat().sort((one, other) => one.atMs - other.atMs);

test('A picture keeps in which share of the visits an antenna is heard, and how loud if so', () => {
  const site = createSite();
  const far = readsAt(3, [100, 161], -70);
  calibrate(site, 1, sorted(readsAt(1, [0, 61], -60)));
  calibrate(site, 1, sorted(readsAt(1, [100, 161], -60), far));
  const { share, db } = site.surroundings.expected(1, antennaOf(3));
  expect(share).toBeCloseTo(0.5, 1);
  expect(db).toBeCloseTo(-10, 0);
});

test('An antenna that only one of two locations is heard by tells them apart, although another is louder at both', () => {
  const site = createSite();
  const both = (seconds: readonly [number, number]) => sorted(readsAt(1, seconds, -60), readsAt(2, seconds, -58));
  calibrate(site, 1, sorted(both([0, 61]), readsAt(3, [0, 61], -72)));
  calibrate(site, 2, both([1000, 1061]));
  expect(learnFrom(site, sorted(both([5000, 5060]), readsAt(3, [5000, 5060], -72)))?.location).toBe(1);
  expect(learnFrom(site, both([6000, 6060]))?.location).toBe(2);
});

test('An antenna that reads once a minute is not silent in ten seconds of a calibration', () => {
  const site = createSite();
  learnFrom(
    site,
    Array.from({ length: 20 }, (_, i) => readAt(1, 60 * i)),
  );
  calibrate(site, 1, sorted([readAt(1, 2000), readAt(1, 2061)], readsAt(2, [2000, 2062], -66)));
  calibrate(site, 1, sorted([readAt(1, 2120)], readsAt(2, [2100, 2159], -66)));
  expect(site.surroundings.expected(1, antennaOf(1)).share).toBeGreaterThan(0.95);
});

test('What an antenna hears of another location is expected the other way round, until that is learned', () => {
  const site = createSite();
  const learned = { location: 1, fromMs: at(0), spanMs: 300_000, visits: 20 };
  const own = { antenna: antennaOf(1), location: 1, db: 0 };
  site.learn({ lesson: { ...learned, heard: [own, { antenna: antennaOf(2), location: 2, db: -6 }] } });
  site.learn({ lesson: { ...learned, location: 2, heard: [{ antenna: antennaOf(2), location: 2, db: 0 }] } });
  const before = site.surroundings.expected(2, antennaOf(1));
  expect(before.db).toBeGreaterThan(-8);
  const further = { antenna: antennaOf(1), location: 1, db: -12 };
  site.learn({
    lesson: {
      ...learned,
      location: 2,
      visits: 200,
      heard: [{ antenna: antennaOf(2), location: 2, db: 0 }, further],
    },
  });
  expect(site.surroundings.expected(2, antennaOf(1)).db).toBeLessThan(-11);
});
