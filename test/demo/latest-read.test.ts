import { expect, test } from 'vitest';
import { createLatestReadRule } from '../../demo/latest-read.js';
import type { Antenna } from '../../demo/readers.js';

const aisle: Antenna = { port: 1, zone: 'AISLE-A' };
const dock: Antenna = { port: 1, zone: 'DOCK-1', minRssiDbm: -66 };

function delivered(thing: number, antenna: Antenna, { stampMs, rssiDbm = -57 }: { stampMs: number; rssiDbm?: number }) {
  return { stampMs, read: { thing, tag: 0, reader: 0, antenna, rssiDbm, atMs: stampMs, isStray: false } };
}

test('the read with the latest time decides when it is received', () => {
  const rule = createLatestReadRule(2);
  rule.take(delivered(0, aisle, { stampMs: 1000 }), 1100);
  rule.take(delivered(0, dock, { stampMs: 3000 }), 3100);
  // Too early a time, the same time, too weak, and the same location.
  rule.take(delivered(0, aisle, { stampMs: 2000 }), 3200);
  rule.take(delivered(0, aisle, { stampMs: 3000 }), 3300);
  rule.take(delivered(1, dock, { stampMs: 4000, rssiDbm: -67 }), 4100);
  rule.take(delivered(0, dock, { stampMs: 5000 }), 5100);
  rule.take(delivered(0, aisle, { stampMs: 6000 }), 6100);
  expect(rule.placements((realMs) => realMs * 60)).toEqual([
    [
      { atMs: 66_000, zone: 'AISLE-A' },
      { atMs: 186_000, zone: 'DOCK-1' },
      { atMs: 366_000, zone: 'AISLE-A' },
    ],
    [],
  ]);
});
