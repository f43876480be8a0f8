import { expect, test } from 'vitest';
import type { Api } from '../../demo/api.js';
import { readPlacements } from '../../demo/reported-visits.js';

const setUp = {
  zoneOfLocation: new Map([
    [11, 'AISLE-A'],
    [12, 'AISLE-B'],
  ]),
  thingOfAsset: new Map([[501, 0]]),
  logins: [],
  planUrl: '',
};

const instant = (seconds: number) => new Date(seconds * 1000).toISOString();

type Row = [location: number | null, arrivedSeconds: number, decidedSeconds: number];

/** Reads the placements of one asset from a service that has these visits, in pages of two. */
async function placementsOf(...rows: Row[]) {
  const visits = rows
    .map(([location, arrived, decided]) => ({
      location: location === null ? null : { id: location },
      arrived_at: instant(arrived),
      decided_at: instant(decided),
    }))
    .sort((one, other) => (one.arrived_at < other.arrived_at ? 1 : -1));
  const api = {
    query: (name: string, input: { asset_id: number; before?: string }, token: string) => {
      expect([name, input.asset_id, token]).toEqual(['assets.visits', 501, 'session']);
      const rest = visits.filter(({ arrived_at: arrival }) => input.before === undefined || arrival < input.before);
      const data = rest.slice(0, 2);
      return Promise.resolve({ data, next_before: rest.length > 2 ? (data.at(-1)?.arrived_at ?? null) : null });
    },
  } as unknown as Api;
  const placements = await readPlacements({ api, token: 'session', setUp, dayAt: (realMs) => realMs * 60 });
  return placements.get(0)?.map(({ atMs, zone }) => [atMs / 60_000, zone]);
}

test('an asset is reported at a location from the receipt of the read that decided', async () => {
  expect(await placementsOf([11, 100, 101], [12, 110, 114], [null, 120, 120], [99, 130, 131], [11, 140, 141])).toEqual([
    [101, 'AISLE-A'],
    [114, 'AISLE-B'],
    [120, null],
    [141, 'AISLE-A'],
  ]);
});

test('a visit that entered the history late was never reported', async () => {
  expect(await placementsOf([11, 100, 101], [12, 110, 150], [11, 120, 121])).toEqual([[101, 'AISLE-A']]);
});

test('of the visits that one message decides only the last one is reported', async () => {
  // The last visit ends one of the past that entered the history late.
  const rows: Row[] = [
    [11, 100, 101],
    [12, 110, 150],
    [11, 130, 150],
  ];
  expect(await placementsOf(...rows)).toEqual([[101, 'AISLE-A']]);
});

test('an asset without visits was never reported', async () => {
  expect(await placementsOf()).toEqual([]);
});
