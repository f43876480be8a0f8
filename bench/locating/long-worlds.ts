import { type Dwell, withHall, withPortals, withSecondAntennas, zonesInRow } from './layout.js';
import type { RadioModel, WorldSpec } from './world-spec.js';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** Passive UHF as the demo has it: read every 2 s for the first 20 s of a visit, then once a minute. */
export const uhf: RadioModel = {
  levelDbm: -57,
  visitSd: 4.5,
  flickerSd: 2.5,
  gainSd: 0,
  sensitivityDbm: -70,
  slopeDb: 1.5,
  lossShare: 0.05,
  fadingSd: 0,
  fadingCorrelation: 0,
  channelsDb: [0],
  bodySd: 0,
  bodyMs: 1,
  secondTagLossDbMax: undefined,
  intervals: () => ({ firstMs: 20 * secondMs, firstIntervalMs: 2 * secondMs, laterIntervalMs: minuteMs }),
  hasRssi: () => true,
  silenceShare: 0,
  silenceMs: 0,
};

/** Reads at one interval for the whole visit. */
export function every(seconds: number): RadioModel['intervals'] {
  const intervalMs = seconds * secondMs;
  return () => ({ firstMs: 0, firstIntervalMs: intervalMs, laterIntervalMs: intervalMs });
}

/** Reads at one interval for the first 20 s and at another later. */
function everyThen(firstSeconds: number, laterSeconds: number): RadioModel['intervals'] {
  const firstIntervalMs = firstSeconds * secondMs;
  return () => ({ firstMs: 20 * secondMs, firstIntervalMs, laterIntervalMs: laterSeconds * secondMs });
}

const long = { kind: 'long' as const, links: {} };

const demoRow = () => zonesInRow({ zones: 12, nextDb: 24, secondDb: 30, antennasPerReader: 3 });

/** Wrong clocks, and two outages in a day. */
const faultyLinks: WorldSpec['links'] = {
  2: { offsets: [{ fromMs: -24 * hourMs, offsetMs: -180 * secondMs }], outages: [outage(5, 15)] },
  3: { offsets: [{ fromMs: -24 * hourMs, offsetMs: 2 * hourMs }] },
  4: {
    offsets: [
      { fromMs: -24 * hourMs, offsetMs: 0 },
      { fromMs: 3 * hourMs, offsetMs: 40 * secondMs },
      { fromMs: 6.5 * hourMs, offsetMs: -90 * secondMs },
    ],
    driftPpm: 200,
    outages: [outage(2, 30)],
  },
};

function outage(atHour: number, minutes: number): { fromMs: number; untilMs: number } {
  return { fromMs: atHour * hourMs, untilMs: atHour * hourMs + minutes * minuteMs };
}

const shortVisits: Dwell = [{ share: 1, minMs: 2 * minuteMs, maxMs: 15 * minuteMs }];
export const passage: Dwell = [{ share: 1, minMs: 3 * secondMs, maxMs: 8 * secondMs }];

/** From zone to zone through a hall. */
const crossing: Dwell = [{ share: 1, minMs: 10 * secondMs, maxMs: minuteMs }];

/** A forklift drives through most zones and stops in some. */
const driving: Dwell = [
  { share: 0.8, minMs: 4 * secondMs, maxMs: 12 * secondMs },
  { share: 0.2, minMs: minuteMs, maxMs: 10 * minuteMs },
];

/** Visits of minutes to hours. The target of each world is at most 0.3 points below what the product reached before. */
export const longWorlds: readonly WorldSpec[] = [
  {
    ...long,
    name: 'W0',
    title: 'As the demo: leak 24/30 dB',
    truthPercentMin: 99.5,
    assets: 20,
    hours: 24,
    layout: demoRow,
    radio: uhf,
  },
  {
    ...long,
    name: 'W0s',
    title: 'W0, read every second',
    truthPercentMin: 99.7,
    assets: 6,
    hours: 2.5,
    layout: demoRow,
    radio: { ...uhf, intervals: every(1) },
  },
  {
    ...long,
    name: 'rooms',
    title: 'Isolated rooms, read every second',
    truthPercentMin: 99.7,
    assets: 6,
    hours: 2,
    layout: () => zonesInRow({ zones: 12, nextDb: Infinity, secondDb: Infinity, antennasPerReader: 3 }),
    radio: { ...uhf, intervals: every(1) },
  },
  {
    ...long,
    name: 'W5',
    title: 'W0 with wrong clocks and outages',
    truthPercentMin: 99.3,
    assets: 20,
    hours: 24,
    layout: demoRow,
    radio: uhf,
    links: faultyLinks,
  },
  {
    ...long,
    name: 'W4',
    title: 'Portals, tags parked 15 dB below',
    truthPercentMin: 99.2,
    assets: 8,
    hours: 2,
    layout: () =>
      withPortals(zonesInRow({ zones: 12, nextDb: 17, secondDb: 21, antennasPerReader: 4, dwell: shortVisits }), {
        portals: [
          [3, 4],
          [9, 10],
        ],
        portalShare: 0.6,
        passage,
        earshotDb: 15,
        farDb: 24,
      }),
    radio: { ...uhf, lossShare: 0.3, intervals: every(0.5) },
  },
  {
    ...long,
    name: 'W1',
    title: 'Shelves: leak 8/16 dB, gains differ',
    truthPercentMin: 94,
    assets: 8,
    hours: 3,
    layout: () => zonesInRow({ zones: 12, nextDb: 8, secondDb: 16, antennasPerReader: 4 }),
    radio: { ...uhf, gainSd: 3, flickerSd: 3, lossShare: 0.3, intervals: every(2) },
  },
  {
    ...long,
    name: 'W2',
    title: 'Intervals of 60 s and 1 s in turn',
    truthPercentMin: 88,
    assets: 8,
    hours: 3,
    layout: () => zonesInRow({ zones: 12, nextDb: 11, secondDb: 17, antennasPerReader: 4 }),
    radio: { ...uhf, lossShare: 0.3, intervals: (antenna) => every(antenna % 2 === 0 ? 60 : 1)(antenna) },
  },
  {
    ...long,
    name: 'W3',
    title: 'BLE: leak 8/15 dB, channels, bodies',
    truthPercentMin: 88,
    assets: 6,
    hours: 2,
    layout: () => zonesInRow({ zones: 12, nextDb: 8, secondDb: 15, antennasPerReader: 1 }),
    radio: {
      ...uhf,
      gainSd: 3,
      levelDbm: -66,
      sensitivityDbm: -88,
      slopeDb: 2,
      channelsDb: [-5, 0, 4],
      bodySd: 4,
      bodyMs: 90 * secondMs,
      intervals: every(2),
    },
  },
  {
    ...long,
    name: 'W6',
    title: 'No RSSI',
    truthPercentMin: 95,
    assets: 10,
    hours: 8,
    layout: () => zonesInRow({ zones: 12, nextDb: 17, secondDb: 19, antennasPerReader: 4 }),
    radio: { ...uhf, intervals: everyThen(2, 10), hasRssi: () => false },
  },
  {
    ...long,
    name: 'W7',
    title: 'Second tag up to 12 dB weaker',
    truthPercentMin: 97.2,
    assets: 12,
    hours: 12,
    layout: () => zonesInRow({ zones: 12, nextDb: 12, secondDb: 20, antennasPerReader: 4 }),
    radio: { ...uhf, intervals: everyThen(5, 30), secondTagLossDbMax: 12 },
  },
  {
    ...long,
    name: 'W8',
    title: 'Forklifts: through most zones in 4 to 12 s',
    truthPercentMin: 99.2,
    assets: 6,
    hours: 2.5,
    layout: () => zonesInRow({ zones: 12, nextDb: 18, secondDb: 26, antennasPerReader: 4, dwell: driving }),
    radio: { ...uhf, lossShare: 0.2, intervals: every(1) },
  },
  {
    ...long,
    name: 'W9',
    title: 'Cages: no read for 20 minutes of some visits',
    truthPercentMin: 98.1,
    assets: 20,
    hours: 18,
    layout: () => zonesInRow({ zones: 12, nextDb: 16, secondDb: 24, antennasPerReader: 4 }),
    radio: { ...uhf, silenceShare: 0.3, silenceMs: 20 * minuteMs },
  },
  {
    ...long,
    name: 'W10',
    title: 'Two readers in each zone, one without RSSI',
    truthPercentMin: 97.8,
    assets: 8,
    hours: 4.5,
    layout: () => withSecondAntennas(zonesInRow({ zones: 12, nextDb: 12, secondDb: 20, antennasPerReader: 4 })),
    radio: { ...uhf, intervals: everyThen(2, 10), hasRssi: (antenna) => antenna < 12 },
  },
  {
    ...long,
    name: 'W11',
    title: 'Halls without antennas between the zones',
    truthPercentMin: 98.7,
    assets: 20,
    hours: 12,
    layout: () =>
      withHall(zonesInRow({ zones: 12, nextDb: 24, secondDb: 30, antennasPerReader: 3, dwell: shortVisits }), {
        attenuationsDb: [14, 18, 22, 26],
        crossing,
      }),
    radio: uhf,
  },
];
