import { expect, test } from 'vitest';
import type { Read } from '../../demo/air.js';
import { readers } from '../../demo/readers.js';
import type { Thing } from '../../demo/things.js';
import { createLedger, type Look, sumOf } from '../../demo/truth.js';

const things: readonly Thing[] = [
  { kind: 'tote', key: 'TOTE-0001', name: 'Tote 1', tags: [{ type: 'rfid', value: 'A1' }] },
  { kind: 'tool', key: 'TOOL-0001', name: 'Tool 1', tags: [{ type: 'ble', value: 'B1' }] },
  { kind: 'stranger', key: 'X-0001', name: 'Stranger 1', tags: [{ type: 'rfid', value: 'C1' }] },
];
const [tote, tool, stranger] = [0, 1, 2];

/** Seconds, so that a day is easily read. */
const at = (seconds: number) => seconds * 1000;

/** A read of a thing by the antenna that looks at a zone. */
function read(thing: number, zone: string, options: { atMs: number; isStray?: boolean; rssiDbm?: number }): Read {
  const reader = readers.findIndex(({ antennas }) => antennas.some((antenna) => antenna.zone === zone));
  const antenna = readers[reader]?.antennas.find((candidate) => candidate.zone === zone);
  if (!antenna) throw new Error(`nobody looks at ${zone}`);
  return { thing, tag: 0, reader, antenna, rssiDbm: -50, isStray: false, ...options };
}

function reported(...places: [thing: number, zone: string | null][]) {
  return new Map(places.map(([thing, zone]) => [thing, { zone }]));
}

/** The only error of a look. */
function errorOf({ errors }: Look): string[] {
  return Object.entries(errors).flatMap(([kind, count]) => (count > 0 ? [`${count} ${kind}`] : []));
}

test('what is on the site counts, and apart from that what a reader looks at; strangers and what is away do not', () => {
  const ledger = createLedger(things);
  ledger.moved({ thing: stranger, zone: 'DOCK-1', atMs: 0 });
  ledger.moved({ thing: tote, zone: 'PACK', atMs: 0 });
  const before = ledger.compare(reported());
  expect(before.onSite).toEqual({ assets: 1, atTheirPlace: 0, inTheirBuilding: 0, neverSeen: 1 });
  expect(before.away).toBe(1);

  ledger.delivered({ read: read(tote, 'PACK', { atMs: at(1) }), stampMs: at(1) }, at(2));
  // No gateway hears a BLE tag in a picking lane.
  ledger.moved({ thing: tool, zone: 'PICK-1', atMs: at(5) });
  const look = ledger.compare(reported([tote, 'PACK'], [tool, 'OUT']));
  expect(look.onSite).toEqual({ assets: 2, atTheirPlace: 1, inTheirBuilding: 2, neverSeen: 0 });
  expect(look.withinReach).toEqual({ assets: 1, atTheirPlace: 1, inTheirBuilding: 1, neverSeen: 0 });
  expect(look.byKind['tote']).toEqual(look.withinReach);
  expect(errorOf(look)).toEqual([]);

  const sum = sumOf([before, look]);
  expect(sum.onSite).toEqual({ assets: 3, atTheirPlace: 1, inTheirBuilding: 2, neverSeen: 1 });
  expect(sum.away).toBe(1);
  expect(sum.byKind['tote']).toMatchObject({ assets: 2, atTheirPlace: 1 });
  expect(errorOf(sum)).toEqual(['1 not read yet']);
});

test('an error has the reason that it has', () => {
  const ledger = createLedger(things);
  const look = (zone: string | null) => errorOf(ledger.compare(zone === null ? reported() : reported([tote, zone])));
  ledger.moved({ thing: tote, zone: 'AISLE-D', atMs: 0 });
  ledger.delivered({ read: read(tote, 'AISLE-D', { atMs: at(1) }), stampMs: at(1) }, at(1));
  expect(look('AISLE-D')).toEqual([]);
  // The service was never told of another place.
  expect(look('PACK')).toEqual(['1 unexplained']);
  expect(look(null)).toEqual(['1 unexplained']);

  ledger.moved({ thing: tote, zone: 'AISLE-E', atMs: at(10) });
  expect(look('AISLE-D')).toEqual(['1 not read yet']);
  ledger.held(read(tote, 'AISLE-E', { atMs: at(11) }));
  expect(look('AISLE-D')).toEqual(['1 reader offline']);

  ledger.delivered({ read: read(tote, 'AISLE-E', { atMs: at(11) }), stampMs: at(11) }, at(20));
  expect(look('AISLE-E')).toEqual([]);
  // By its time the later read is the one that counts.
  expect(look('AISLE-D')).toEqual(['1 unexplained']);

  ledger.delivered({ read: read(tote, 'AISLE-D', { atMs: at(30), isStray: true }), stampMs: at(30) }, at(30));
  expect(look('AISLE-D')).toEqual(['1 stray read']);
  ledger.delivered({ read: read(tote, 'AISLE-E', { atMs: at(40) }), stampMs: at(25) }, at(40));
  expect(look('AISLE-D')).toEqual(['1 wrong clock']);
});

test('a read below the least strength of its antenna tells nobody anything', () => {
  const ledger = createLedger(things);
  ledger.moved({ thing: tote, zone: 'DOCK-2', atMs: 0 });
  ledger.delivered({ read: read(tote, 'DOCK-2', { atMs: at(1), rssiDbm: -80 }), stampMs: at(1) }, at(1));
  expect(errorOf(ledger.compare(reported()))).toEqual(['1 not read yet']);
});

test('a move is reported when the first read that places the thing is acknowledged, if it is still there', () => {
  const ledger = createLedger(things);
  // Where the day begins it has not moved to.
  ledger.moved({ thing: tote, zone: 'PACK', atMs: 0 });
  ledger.delivered({ read: read(tote, 'PACK', { atMs: at(0) }), stampMs: at(0) }, at(0));
  ledger.moved({ thing: tote, zone: 'PICK-1', atMs: at(1) });
  ledger.delivered({ read: read(tote, 'PICK-1', { atMs: at(2) }), stampMs: at(2) }, at(4));
  // Through a hall where nobody looks, and back again: it is where it was reported all the time.
  ledger.moved({ thing: tote, zone: 'PICK', atMs: at(10) });
  ledger.moved({ thing: tote, zone: 'PICK-1', atMs: at(20) });
  // Past a place without having been read there, and to one where the first reads come with too early a time.
  ledger.moved({ thing: tote, zone: 'PICK-2', atMs: at(30) });
  ledger.moved({ thing: tote, zone: 'PACK', atMs: at(40) });
  ledger.delivered({ read: read(tote, 'PACK', { atMs: at(41) }), stampMs: 0 }, at(41));
  ledger.delivered({ read: read(tote, 'PACK', { atMs: at(50) }), stampMs: at(50) }, at(52));
  expect(ledger.moves()).toEqual({ made: 3, reported: 2, delaysMs: [at(3), at(12)] });
});
