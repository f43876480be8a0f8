/** A part of the warehouse that becomes a location. Things can be in all zones except the site itself. */
export type Zone = { key: string; name: string; parent: string | null };

/** The tree of locations, parents before their children. */
export const zones: readonly Zone[] = [
  zone('SITE', 'Riverside distribution center', null),
  ...within('SITE', { YARD: 'Yard', MAIN: 'Main hall', COLD: 'Cold store', SHOP: 'Workshop', OFFICE: 'Offices' }),
  ...within('MAIN', { IN: 'Goods in', STORE: 'High bay', PICK: 'Picking', OUT: 'Goods out', CHARGE: 'Charging bay' }),
  ...within('IN', { 'DOCK-1': 'Dock 1', 'DOCK-2': 'Dock 2', 'DOCK-3': 'Dock 3', INSPECT: 'Inspection' }),
  ...within('STORE', {
    'AISLE-A': 'Aisle A',
    'AISLE-B': 'Aisle B',
    'AISLE-C': 'Aisle C',
    'AISLE-D': 'Aisle D',
    'AISLE-E': 'Aisle E',
    'AISLE-F': 'Aisle F',
    'AISLE-G': 'Aisle G',
    'AISLE-H': 'Aisle H',
  }),
  ...within('PICK', {
    'PICK-1': 'Pick lane 1',
    'PICK-2': 'Pick lane 2',
    'PICK-3': 'Pick lane 3',
    'PICK-4': 'Pick lane 4',
  }),
  ...within('OUT', { PACK: 'Packing', 'DOCK-5': 'Dock 5', 'DOCK-6': 'Dock 6', 'DOCK-7': 'Dock 7' }),
  ...within('COLD', { AIRLOCK: 'Airlock', 'COLD-1': 'Cold room 1', 'COLD-2': 'Cold room 2', 'COLD-3': 'Cold room 3' }),
  ...within('SHOP', { CRIB: 'Tool crib', 'BENCH-1': 'Bench 1', 'BENCH-2': 'Bench 2' }),
  ...within('OFFICE', { DISPATCH: 'Dispatch', IT: 'IT room' }),
];

function zone(key: string, name: string, parent: string | null): Zone {
  return { key, name, parent };
}

function within(parent: string, names: Readonly<Record<string, string>>): Zone[] {
  return Object.entries(names).map(([key, name]) => zone(key, name, parent));
}

/** Which zones are connected, in both directions: each area with the zones that open into it. */
const connections: readonly (readonly [string, readonly string[]])[] = [
  ['YARD', ['DOCK-1', 'DOCK-2', 'DOCK-3', 'DOCK-5', 'DOCK-6', 'DOCK-7']],
  ['IN', ['DOCK-1', 'DOCK-2', 'DOCK-3', 'INSPECT', 'MAIN']],
  ['STORE', ['AISLE-A', 'AISLE-B', 'AISLE-C', 'AISLE-D', 'AISLE-E', 'AISLE-F', 'AISLE-G', 'AISLE-H', 'MAIN']],
  ['PICK', ['PICK-1', 'PICK-2', 'PICK-3', 'PICK-4', 'MAIN']],
  ['OUT', ['PACK', 'DOCK-5', 'DOCK-6', 'DOCK-7', 'MAIN']],
  ['MAIN', ['CHARGE', 'AIRLOCK', 'SHOP', 'OFFICE']],
  ['COLD', ['AIRLOCK', 'COLD-1', 'COLD-2', 'COLD-3']],
  ['SHOP', ['CRIB', 'BENCH-1', 'BENCH-2']],
  ['OFFICE', ['DISPATCH', 'IT']],
];

const neighbors: ReadonlyMap<string, readonly string[]> = new Map(
  zones.map(({ key }) => [
    key,
    connections.flatMap(([area, zones]) => (area === key ? zones : zones.includes(key) ? [area] : [])),
  ]),
);

/** Returns the zones on the shortest route between two others, without either. */
export function routeBetween(from: string, to: string): string[] {
  const cameFrom = new Map<string, string>([[from, from]]);
  const queue = [from];
  for (const key of queue) {
    if (key === to) break;
    for (const next of neighbors.get(key) ?? []) {
      // The yard is not a shortcut between two areas.
      if (cameFrom.has(next) || (next === 'YARD' && to !== 'YARD')) continue;
      cameFrom.set(next, key);
      queue.push(next);
    }
  }
  const route: string[] = [];
  for (let key = cameFrom.get(to); key !== undefined && key !== from; key = cameFrom.get(key)) route.unshift(key);
  return route;
}

/** Returns the building of a zone: its ancestor directly below the site, such as the main hall. */
export function buildingOf(key: string): string {
  for (let at = zoneOf(key); ; at = zoneOf(at.parent)) {
    if (at.parent === null || at.parent === 'SITE') return at.key;
  }
}

function zoneOf(key: string): Zone {
  const found = zones.find((candidate) => candidate.key === key);
  if (!found) throw new RangeError(`there is no zone ${key}`);
  return found;
}

/** Attenuation in dB from a tag in one zone of a pair to an antenna in the other. All other zones are out of reach. */
const leaks: readonly (readonly [db: number, pairs: readonly (readonly [string, string])[]])[] = [
  // The next dock, the next lane, the next aisle behind a rack full of goods.
  [22, inARow(['DOCK-1', 'DOCK-2', 'DOCK-3', 'INSPECT'])],
  [22, inARow(['PACK', 'DOCK-5', 'DOCK-6', 'DOCK-7'])],
  [22, inARow(['PICK-1', 'PICK-2', 'PICK-3', 'PICK-4', 'PACK'])],
  [28, inARow(['AISLE-A', 'AISLE-B', 'AISLE-C', 'AISLE-D', 'AISLE-E', 'AISLE-F', 'AISLE-G', 'AISLE-H'])],
  // Separated by a wall.
  [28, inARow(['COLD-1', 'COLD-2', 'COLD-3'])],
  [28, inARow(['CRIB', 'BENCH-1', 'BENCH-2'])],
  [28, [['DISPATCH', 'IT']]],
  // The open entrance from the area that connects the zones.
  [22, connections.flatMap(([area, zones]) => zones.map((zone) => [area, zone] as const))],
];

function inARow(keys: readonly string[]): (readonly [string, string])[] {
  return keys.slice(1).map((key, i) => [keys[i] ?? key, key] as const);
}

/** Returns the zones other than its own in which an antenna can read tags, with the attenuation. */
export function leaksInto(key: string): { zone: string; db: number }[] {
  return leaks.flatMap(([db, pairs]) =>
    pairs.flatMap(([one, other]) => {
      if (one === key) return [{ zone: other, db }];
      return other === key ? [{ zone: one, db }] : [];
    }),
  );
}
