import { hourMs, minuteMs } from './shifts.js';
import { cslCs463 } from './vendors/csl-cs463.js';
import { glS10 } from './vendors/gl-s10.js';
import { impinjIot } from './vendors/impinj-iot.js';
import { mapped } from './vendors/mapped.js';
import { minewG1 } from './vendors/minew-g1.js';
import { mokoMk107 } from './vendors/moko-mk107.js';
import { native } from './vendors/native.js';
import { ruuvi } from './vendors/ruuvi.js';
import { smartreader } from './vendors/smartreader.js';
import { theengs } from './vendors/theengs.js';
import type { Vendor } from './vendors/vendor.js';
import { zebraIotc } from './vendors/zebra-iotc.js';

/**
 * The fault of a clock: it is behind by some time of the day, it is ahead by some real time (as when local time is taken
 * for UTC), or it starts at 1970 when the device is switched on.
 */
export type ClockFault = { kind: 'behind'; byMs: number } | { kind: 'ahead'; byMs: number } | { kind: 'since 1970' };

/** An antenna with the zone that it covers; the service drops reads below the RSSI threshold. */
export type Antenna = { port: number; zone: string; minRssiDbm?: number };

/** A reader of the warehouse. */
export type Reader = {
  name: string;
  /** For its topics and client id. */
  slug: string;
  vendor: Vendor;
  /** Its own zone, which applies to reads of an antenna without a zone. */
  zone: string;
  /** A BLE gateway has one. */
  antennas: readonly Antenna[];
  clockFault?: ClockFault;
  /** Whether the time of receipt counts instead of its own time. */
  usesReceiptTime?: boolean;
  /** The time without network, as fractions of the day. */
  offline?: { from: number; until: number };
};

/** RSSI threshold at the docks and lanes, where antennas are near each other. */
const thresholdDbm = -66;

/** One reader of each format. */
export const readers: readonly Reader[] = [
  {
    name: 'Goods in',
    slug: 'goods-in',
    vendor: cslCs463,
    zone: 'IN',
    antennas: antennasOf(['DOCK-1', 'DOCK-2', 'DOCK-3', 'INSPECT'], thresholdDbm),
  },
  {
    name: 'High bay, aisles A to D',
    slug: 'high-bay-west',
    vendor: zebraIotc,
    zone: 'STORE',
    antennas: antennasOf(['AISLE-A', 'AISLE-B', 'AISLE-C', 'AISLE-D']),
    clockFault: { kind: 'behind', byMs: 3 * minuteMs },
  },
  {
    name: 'High bay, aisles E to H',
    slug: 'high-bay-east',
    vendor: impinjIot({ format: 'impinj_iot', withHex: true }),
    zone: 'STORE',
    antennas: antennasOf(['AISLE-E', 'AISLE-F', 'AISLE-G', 'AISLE-H']),
    // One hour of a day of twelve, from eleven o'clock.
    offline: { from: 5 / 12, until: 6 / 12 },
  },
  {
    name: 'Picking',
    slug: 'picking',
    vendor: smartreader,
    zone: 'PICK',
    antennas: antennasOf(['PICK-1', 'PICK-2', 'PICK-3', 'PICK-4'], thresholdDbm),
    clockFault: { kind: 'ahead', byMs: 2 * hourMs },
  },
  {
    name: 'Packing and charging gate',
    slug: 'packing',
    vendor: native,
    zone: 'PACK',
    antennas: antennasOf(['PACK', 'CHARGE']),
  },
  {
    name: 'Goods out',
    slug: 'goods-out',
    vendor: mapped,
    zone: 'OUT',
    antennas: antennasOf(['DOCK-5', 'DOCK-6', 'DOCK-7'], thresholdDbm),
  },
  {
    name: 'Cold store',
    slug: 'cold-store',
    vendor: impinjIot({ format: 'auto', withHex: false }),
    zone: 'COLD',
    antennas: antennasOf(['AIRLOCK', 'COLD-1', 'COLD-3']),
    clockFault: { kind: 'since 1970' },
  },
  gateway({ name: 'Bench 1', slug: 'bench-1', vendor: glS10, zone: 'BENCH-1', usesReceiptTime: true }),
  gateway({ name: 'Charging bay', slug: 'charging', vendor: mokoMk107, zone: 'CHARGE' }),
  gateway({ name: 'Tool crib', slug: 'crib', vendor: minewG1, zone: 'CRIB' }),
  gateway({ name: 'Cold room 2', slug: 'cold-2', vendor: ruuvi, zone: 'COLD-2' }),
  gateway({ name: 'Dispatch', slug: 'dispatch', vendor: theengs, zone: 'DISPATCH' }),
];

/**
 * Returns an antenna for each zone, on ports from 1. All of them cover zones. None is a portal: pallets wait at the docks for
 * minutes, cold boxes in the airlock, so where they are matters, not only that they passed.
 */
function antennasOf(zones: readonly string[], minRssiDbm?: number): Antenna[] {
  return zones.map((zone, i) => ({ port: i + 1, zone, ...(minRssiDbm !== undefined && { minRssiDbm }) }));
}

function gateway(reader: Omit<Reader, 'antennas'>): Reader {
  return { ...reader, antennas: [{ port: 1, zone: reader.zone }] };
}

/** Whether an antenna for tags of one of these types covers a zone. */
export function isCovered(zone: string, tagTypes: readonly string[]): boolean {
  return readers.some(
    ({ vendor, antennas }) => tagTypes.includes(vendor.tagType) && antennas.some((antenna) => antenna.zone === zone),
  );
}
