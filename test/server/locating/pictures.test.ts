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
  const picture = site.surroundings.picture(1);
  const { visits, sumDb } = picture?.antennas.get(antennaOf(3)) ?? { visits: 0, sumDb: 0 };
  expect(visits / (picture?.visits ?? 0)).toBeCloseTo(0.5, 1);
  expect(sumDb / visits).toBeCloseTo(-10, 0);
});

test('An antenna that only one of two locations is heard by tells them apart, although another is louder at both', () => {
  const site = createSite();
  const both = (seconds: readonly [number, number]) => sorted(readsAt(1, seconds, -60), readsAt(2, seconds, -58));
  calibrate(site, 1, sorted(both([0, 61]), readsAt(3, [0, 61], -72)));
  calibrate(site, 2, both([1000, 1061]));
  expect(learnFrom(site, sorted(both([5000, 5060]), readsAt(3, [5000, 5060], -72)))?.location).toBe(1);
  expect(learnFrom(site, both([6000, 6060]))?.location).toBe(2);
});

test('What is heard of an asset on its way to the next location is not in the picture of the one before', () => {
  const site = createSite();
  const stays = sorted(readsAt(1, [0, 100], -60), readsAt(3, [0, 100], -70));
  const leaves = readsAt(2, [101, 130], -60);
  expect(learnFrom(site, [...stays, ...leaves])?.location).toBe(2);
  const picture = site.surroundings.picture(1);
  expect([...(picture?.antennas.keys() ?? [])]).toEqual([antennaOf(1), antennaOf(3)]);
});

test('While another location is ahead nothing is learned of what antennas hear first then', () => {
  const site = createSite();
  const stays = readsAt(1, [0, 295], -60);
  const isAhead = [readAt(2, 296, -58), readAt(2, 298, -58), readAt(1, 303, -61)];
  const state = learnFrom(site, [...stays, ...isAhead]);
  expect(state).toMatchObject({ location: 1, rivals: [{ location: 2 }] });
  expect([...(site.surroundings.picture(1)?.antennas.keys() ?? [])]).not.toContain(antennaOf(2));
});

test('An antenna that reads once a minute is not silent in ten seconds of a calibration', () => {
  const site = createSite();
  learnFrom(
    site,
    Array.from({ length: 20 }, (_, i) => readAt(2, 60 * i)),
  );
  calibrate(site, 1, sorted(readsAt(1, [2000, 2062]), [readAt(2, 2000, -66), readAt(2, 2061, -66)]));
  calibrate(site, 1, sorted(readsAt(1, [2100, 2159]), [readAt(2, 2120, -66)]));
  const picture = site.surroundings.picture(1);
  expect((picture?.antennas.get(antennaOf(2))?.visits ?? 0) / (picture?.visits ?? 1)).toBeGreaterThan(0.95);
});

test('An antenna of the location that is heard for the first time counts as heard in all visits before, another one does not', () => {
  const site = createSite();
  const learned = { location: 1, fromMs: at(0), spanMs: 10_000, visits: 5 };
  const [own, other] = [1, 3].map((location) => ({ antenna: antennaOf(location), location, db: -1 }));
  site.learn({ lesson: { ...learned, visits: 10, heard: [{ antenna: antennaOf(2), location: 2, db: 0 }] } });
  site.learn({ lesson: { ...learned, heard: own && other ? [own, other] : [] } });
  const picture = site.surroundings.picture(1);
  expect(picture?.antennas.get(antennaOf(1))).toMatchObject({ visits: 15, sumDb: -15 });
  expect(picture?.antennas.get(antennaOf(3))).toMatchObject({ visits: 5, sumDb: -5 });
});

test('What an antenna hears of another location is expected the other way round, until that is learned', () => {
  const site = createSite();
  const learned = { location: 1, fromMs: at(0), spanMs: 300_000, visits: 20 };
  const own = { antenna: antennaOf(2), location: 2, db: 0 };
  const other = { antenna: antennaOf(1), location: 1 };
  const fitOf = (db: number) =>
    site.surroundings.fit(2, [
      { ...own, silence: 0 },
      { ...other, db, silence: 0 },
    ]);
  site.learn({
    lesson: {
      ...learned,
      heard: [
        { ...other, db: 0 },
        { ...own, db: -6 },
      ],
    },
  });
  site.learn({ lesson: { ...learned, location: 2, heard: [own] } });
  expect(fitOf(-6)).toBeGreaterThan(fitOf(-12));
  site.learn({ lesson: { ...learned, location: 2, visits: 200, heard: [own, { ...other, db: -12 }] } });
  expect(fitOf(-6)).toBeLessThan(fitOf(-12));
});

test('The fit follows what is learned of the other location later', () => {
  const learned = { fromMs: at(0), spanMs: 300_000, visits: 20 };
  const own = { antenna: antennaOf(2), location: 2, db: 0 };
  const first = { lesson: { ...learned, location: 2, heard: [own] } };
  const second = { lesson: { ...learned, location: 1, heard: [{ antenna: antennaOf(1), location: 1, db: 0 }, own] } };
  const hearings = [
    { ...own, silence: 0 },
    { antenna: antennaOf(1), location: 1, db: -1, silence: 0 },
  ];
  const [early, late] = [createSite(), createSite()];
  early.learn(first);
  early.surroundings.fit(2, hearings);
  early.learn(second);
  late.learn(second);
  late.learn(first);
  expect(early.surroundings.fit(2, hearings)).toBeCloseTo(late.surroundings.fit(2, hearings), 9);
});
