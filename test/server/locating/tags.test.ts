import { expect, test } from 'vitest';
import { createSite, type LocatingRead } from '../../../server/locating/index.js';
import { learnFrom, readsAt } from './support.js';

const uhf = (location: number, seconds: readonly [number, number], rssiDbm: number): LocatingRead[] =>
  readsAt(location, seconds, rssiDbm);

const ble = (location: number, seconds: readonly [number, number], rssiDbm: number): LocatingRead[] =>
  readsAt(location, seconds, rssiDbm).map((read) => ({ ...read, tag: 2, isBle: true }));

const sorted = (...reads: LocatingRead[][]) => reads.flat().sort((one, other) => one.atMs - other.atMs);

/** A site at which UHF tags are usually heard at -57 dBm and Bluetooth tags at -66 dBm. */
function siteWithBoth() {
  const site = createSite();
  learnFrom(site, uhf(1, [0, 60], -57));
  learnFrom(site, ble(2, [0, 60], -66));
  return site;
}

test('A Bluetooth tag that a gateway next door hears weakly does not hold an asset there whose UHF tag is loud', () => {
  const reads = sorted(ble(2, [100, 300], -84), uhf(1, [104, 300], -57));
  expect(learnFrom(siteWithBoth(), reads)?.location).toBe(1);
});

test('A UHF tag on the far side does not hold an asset back whose Bluetooth tag is as loud as usual', () => {
  const reads = sorted(uhf(1, [100, 300], -71), ble(2, [104, 300], -66));
  expect(learnFrom(siteWithBoth(), reads)?.location).toBe(2);
});

test('Levels of two kinds of tags are compared as they are until the site has heard both at their locations', () => {
  expect(createSite().surroundings.bleDb()).toBe(0);
  expect(siteWithBoth().surroundings.bleDb()).toBeCloseTo(-9, 1);
});
