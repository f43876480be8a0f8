import { expect, test } from 'vitest';
import type { LocationRule } from '../../demo/error-cause.js';
import type { Read } from '../../demo/radio.js';
import { readers } from '../../demo/readers.js';
import type { Thing } from '../../demo/things.js';
import { type Comparison, createLedger, sumOf } from '../../demo/truth.js';

const things: readonly Thing[] = [
  { kind: 'tote', key: 'TOTE-0001', name: 'Tote 1', tags: [{ type: 'rfid', value: 'A1' }] },
  { kind: 'tool', key: 'TOOL-0001', name: 'Tool 1', tags: [{ type: 'ble', value: 'B1' }] },
  { kind: 'foreign tag', key: 'X-0001', name: 'Foreign 1', tags: [{ type: 'rfid', value: 'C1' }] },
];
const [tote, tool, foreignTag] = [0, 1, 2];

/** An instant in seconds. */
const at = (seconds: number) => seconds * 1000;

/** A read of a thing by the antenna that covers a zone. */
function read(thing: number, zone: string, options: { atMs: number; isStray?: boolean; rssiDbm?: number }): Read {
  const reader = readers.findIndex(({ antennas }) => antennas.some((antenna) => antenna.zone === zone));
  const antenna = readers[reader]?.antennas.find((candidate) => candidate.zone === zone);
  if (!antenna) throw new Error(`no antenna covers ${zone}`);
  return { thing, tag: 0, reader, antenna, rssiDbm: -57, isStray: false, ...options };
}

function reported(...locations: [thing: number, zone: string | null][]) {
  return new Map(locations.map(([thing, zone]) => [thing, { zone }]));
}

/** The errors of a comparison. */
function errorsOf({ errors }: Comparison): string[] {
  return Object.entries(errors).flatMap(([cause, count]) => (count > 0 ? [`${count} ${cause}`] : []));
}

/** A ledger with the tote in a zone, and the errors of a report that has the tote in another one. */
function toteIn(zone: string, rule: LocationRule) {
  const ledger = createLedger(things, rule);
  ledger.moved({ thing: tote, zone, atMs: 0 });
  return {
    ...ledger,
    /** Delivers a read at its own time, or with another time. */
    deliver(where: string, seconds: number, { stampMs = at(seconds), isStray = false, rssiDbm = -57 } = {}) {
      ledger.delivered({ read: read(tote, where, { atMs: at(seconds), isStray, rssiDbm }), stampMs });
    },
    errors: (where: string | null) => errorsOf(ledger.compare(where === null ? reported() : reported([tote, where]))),
  };
}

test('assets on the site are counted, and separately those within reach; foreign tags and assets off the site are not', () => {
  const ledger = createLedger(things, 'evidence');
  ledger.moved({ thing: foreignTag, zone: 'DOCK-1', atMs: 0 });
  ledger.moved({ thing: tote, zone: 'PACK', atMs: 0 });
  const before = ledger.compare(reported());
  expect(before.onSite).toEqual({ assets: 1, atTrueLocation: 0, inSameBuilding: 0, neverSeen: 1 });
  expect(before.away).toBe(1);

  ledger.delivered({ read: read(tote, 'PACK', { atMs: at(1) }), stampMs: at(1) });
  // No gateway reads BLE tags in a picking lane.
  ledger.moved({ thing: tool, zone: 'PICK-1', atMs: at(5) });
  const after = ledger.compare(reported([tote, 'PACK'], [tool, 'OUT']));
  expect(after.onSite).toEqual({ assets: 2, atTrueLocation: 1, inSameBuilding: 2, neverSeen: 0 });
  expect(after.withinReach).toEqual({ assets: 1, atTrueLocation: 1, inSameBuilding: 1, neverSeen: 0 });
  expect(after.byKind['tote']).toEqual(after.withinReach);
  expect(errorsOf(after)).toEqual([]);

  const sum = sumOf([before, after]);
  expect(sum.onSite).toEqual({ assets: 3, atTrueLocation: 1, inSameBuilding: 2, neverSeen: 1 });
  expect(sum.away).toBe(1);
  expect(sum.byKind['tote']).toMatchObject({ assets: 2, atTrueLocation: 1 });
  expect(errorsOf(sum)).toEqual(['1 no read there yet']);
});

test('by evidence, errors are explained by missing, few and ambiguous reads', () => {
  const { moved, held, deliver, errors } = toteIn('AISLE-D', 'evidence');
  deliver('AISLE-D', 1);
  expect(errors('AISLE-D')).toEqual([]);
  // The service never received a read from there, or has not stored the one that it acknowledged.
  expect(errors('PACK')).toEqual(['1 unexplained']);
  expect(errors(null)).toEqual(['1 unexplained']);

  moved({ thing: tote, zone: 'AISLE-E', atMs: at(10) });
  expect(errors('AISLE-D')).toEqual(['1 no read there yet']);
  held(read(tote, 'AISLE-E', { atMs: at(11) }));
  expect(errors('AISLE-D')).toEqual(['1 reader offline']);

  deliver('AISLE-E', 12);
  deliver('AISLE-E', 14);
  // The clock over aisle D is behind, but no read of this visit comes with a later time than those in aisle E.
  expect(errors('AISLE-D')).toEqual(['1 only one or two reads there yet']);
  deliver('AISLE-E', 16);
  expect(errors('AISLE-D')).toEqual(['1 unexplained']);
  // A weak read by a neighboring antenna explains nothing, however late it is; one of similar strength does.
  deliver('AISLE-D', 18, { isStray: true, rssiDbm: -69 });
  expect(errors('AISLE-D')).toEqual(['1 wrong clock']);
  deliver('AISLE-E', 20);
  expect(errors('AISLE-D')).toEqual(['1 unexplained']);
  deliver('AISLE-D', 22, { isStray: true, rssiDbm: -49 });
  expect(errors('AISLE-D')).toEqual(['1 neighboring antenna reads it as strongly']);
});

test('by evidence, a stray read beside two right clocks explains no error', () => {
  const { moved, deliver, errors } = toteIn('PACK', 'evidence');
  deliver('PACK', 1);
  moved({ thing: tote, zone: 'DOCK-5', atMs: at(10) });
  for (const seconds of [12, 14, 16]) deliver('DOCK-5', seconds);
  deliver('PACK', 18, { isStray: true, rssiDbm: -66 });
  expect(errors('PACK')).toEqual(['1 unexplained']);
});

test('with the newest rule, the report must be where the read with the latest time is from', () => {
  const { moved, held, deliver, errors } = toteIn('AISLE-D', 'newest');
  deliver('AISLE-D', 1);
  expect(errors('PACK')).toEqual(['1 unexplained']);
  expect(errors(null)).toEqual(['1 unexplained']);

  moved({ thing: tote, zone: 'AISLE-E', atMs: at(10) });
  expect(errors('AISLE-D')).toEqual(['1 no read there yet']);
  held(read(tote, 'AISLE-E', { atMs: at(11) }));
  expect(errors('AISLE-D')).toEqual(['1 reader offline']);

  deliver('AISLE-E', 20);
  expect(errors('AISLE-E')).toEqual([]);
  expect(errors('AISLE-D')).toEqual(['1 unexplained']);
  // The service may have learned that the clock over aisle D is behind.
  deliver('AISLE-D', 24, { stampMs: at(2), isStray: true });
  expect(errors('AISLE-D')).toEqual(['1 later read by a neighboring antenna']);
  deliver('AISLE-E', 40);
  expect(errors('AISLE-D')).toEqual(['1 unexplained']);

  deliver('AISLE-D', 60, { isStray: true });
  expect(errors('AISLE-D')).toEqual(['1 later read by a neighboring antenna']);
  deliver('AISLE-E', 70, { stampMs: at(25) });
  expect(errors('AISLE-D')).toEqual(['1 wrong clock']);
});

test('a read below the RSSI threshold of its antenna is not counted', () => {
  const { deliver, errors } = toteIn('DOCK-2', 'evidence');
  deliver('DOCK-2', 1, { rssiDbm: -80 });
  expect(errors(null)).toEqual(['1 no read there yet']);
});
