import { expect, test } from 'vitest';
import { estimateReceptions, type Home } from '../../../server/locating/estimate-receptions.js';
import { addEntry, type SignatureTable, signatureOf } from '../../../server/locating/signature-table.js';
import { antennaOf } from './support.js';

/** Levels of visits by location: what the antenna of each other location has received there on average. */
function siteWith(levels: Record<number, { visits: number; at: Record<number, number> }>): SignatureTable {
  const table: SignatureTable = new Map();
  for (const [location, { visits, at }] of Object.entries(levels)) {
    const signature = signatureOf(table, Number(location));
    signature.visits = visits;
    for (const [other, meanDbm] of Object.entries(at)) {
      addEntry(signature, antennaOf(Number(other)), { reads: visits, meanDbm, variance: 0 });
    }
  }
  return table;
}

function homesOf(locations: readonly number[]): Map<number, Home> {
  return new Map(locations.map((location) => [antennaOf(location), { location, hasRssi: true }]));
}

test('A location that was never visited is expected to receive its neighbors as they receive it', () => {
  const table = siteWith({
    1: { visits: 20, at: { 1: -57, 2: -63 } },
    3: { visits: 20, at: { 3: -57, 4: -70 } },
  });
  estimateReceptions(table, homesOf([1, 2, 3, 4]));
  const near = table.get(2)?.receptions?.get(antennaOf(1));
  const far = table.get(4)?.receptions?.get(antennaOf(3));
  expect(near?.meanDbm).toBeGreaterThan((far?.meanDbm ?? 0) + 2);
  expect(near?.audible).toBeGreaterThan(0.7);
  expect(table.get(2)?.receptions?.has(antennaOf(3))).toBe(false);
});

test('An antenna that receives all other locations strongly is expected to receive its own more strongly', () => {
  const table = siteWith({
    1: { visits: 20, at: { 1: -57, 2: -59, 3: -69 } },
    4: { visits: 20, at: { 4: -57, 2: -59, 3: -69 } },
  });
  estimateReceptions(table, homesOf([1, 2, 3, 4]));
  const strong = table.get(2)?.receptions?.get(antennaOf(2));
  const weak = table.get(3)?.receptions?.get(antennaOf(3));
  expect(strong?.meanDbm).toBeGreaterThan((weak?.meanDbm ?? 0) + 2);
});

test('Visits count more than what other locations let expect', () => {
  const table = siteWith({
    1: { visits: 20, at: { 1: -57, 2: -63 } },
    2: { visits: 40, at: { 2: -57, 1: -75 } },
  });
  estimateReceptions(table, homesOf([1, 2]));
  expect(Math.abs((table.get(2)?.receptions?.get(antennaOf(1))?.meanDbm ?? 0) + 75)).toBeLessThan(1.5);
});

test('Visits alone count where several antennas share a location', () => {
  const table = siteWith({ 1: { visits: 20, at: { 1: -57, 2: -63 } }, 3: { visits: 20, at: { 3: -57 } } });
  const homes = homesOf([1, 2, 3]);
  homes.set(antennaOf(2) + 1, { location: 2, hasRssi: true });
  estimateReceptions(table, homes);
  expect(table.get(1)?.receptions).toBeUndefined();
  expect(table.get(2)?.receptions).toBeUndefined();
  expect(table.get(3)?.receptions?.size).toBe(1);
});

test('Any number of locations that an antenna receives does not make the estimates grow without end', () => {
  const locations = Array.from({ length: 2000 }, (_, i) => i + 1);
  const table: SignatureTable = new Map();
  for (const location of locations) {
    const signature = signatureOf(table, location);
    signature.visits = 20;
    for (const other of [location, 1]) {
      addEntry(signature, antennaOf(other), { reads: 20, meanDbm: other === location ? -57 : -63, variance: 0 });
    }
  }
  estimateReceptions(table, homesOf(locations));
  for (const { receptions } of table.values()) expect(receptions?.size).toBeLessThanOrEqual(64);
});
