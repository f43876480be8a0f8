import { type Dwell, withHall, withPortals, withSecondAntennas, zonesInRow } from './layout.js';
import { every, passage, uhf } from './long-worlds.js';
import type { RadioModel, WorldSpec } from './world-spec.js';

const secondMs = 1000;
const minuteMs = 60 * secondMs;

const dwell: Dwell = [{ share: 1, minMs: 15 * secondMs, maxMs: 3 * minuteMs }];
const crossing: Dwell = [{ share: 1, minMs: 3 * secondMs, maxMs: 10 * secondMs }];

const waitingLanes = 6;

/** Five minutes from a cold start: nothing is learned at first. */
const short = { kind: 'short' as const, assets: 5, hours: 5 / 60, runs: 2, links: {} };
const quickly = { intervalMsMin: 200, intervalMsMax: secondMs };
const slowly = { intervalMsMin: 500, intervalMsMax: 2 * secondMs };

/** Dense reads that fade together. */
const denseUhf: RadioModel = {
  ...uhf,
  visitSd: 3.5,
  flickerSd: 1,
  lossShare: 0.1,
  fadingSd: 3,
  fadingCorrelation: 0.7,
  intervals: every(0.1),
};

const ble: RadioModel = {
  ...denseUhf,
  levelDbm: -62,
  sensitivityDbm: -92,
  slopeDb: 2,
  lossShare: 0.2,
  channelsDb: [-2, 0, 2],
  fadingSd: 4,
  fadingCorrelation: 0.5,
  bodySd: 2,
  bodyMs: 20 * secondMs,
  intervals: every(0.3),
};

function through(attenuationsDb: readonly number[], row: Parameters<typeof zonesInRow>[0]) {
  return withHall(zonesInRow({ ...row, dwell }), { attenuationsDb, crossing });
}

/** Visits of 15 s to 3 min. Each reader publishes messages at its own phase. */
export const shortWorlds: readonly WorldSpec[] = [
  {
    ...short,
    name: 'aisles',
    title: 'Aisles: UHF at 10 Hz, leak 14/22 dB',
    layout: () => through([14, 18, 22], { zones: 8, nextDb: 14, secondDb: 22, antennasPerReader: 4 }),
    radio: denseUhf,
    publishing: quickly,
  },
  {
    ...short,
    name: 'doors',
    title: 'Zones on both sides of a dock door',
    layout: () =>
      withPortals(zonesInRow({ zones: 4, nextDb: 16, secondDb: 22, antennasPerReader: 2, dwell }), {
        portals: [[1, 2]],
        portalShare: 0.6,
        passage,
        earshotDb: 15,
        farDb: 24,
      }),
    radio: { ...denseUhf, intervals: every(0.2) },
    publishing: quickly,
  },
  {
    ...short,
    name: 'lanes',
    title: 'Goods wait in lanes beside doors that ask more often',
    runs: 4,
    layout: () =>
      withPortals(zonesInRow({ zones: waitingLanes, nextDb: 14, secondDb: 20, antennasPerReader: 2, dwell }), {
        portals: [
          [1, 2],
          [3, 4],
          [5, 6],
        ],
        portalShare: 0.6,
        passage,
        earshotDb: 10,
        farDb: 18,
      }),
    radio: { ...uhf, intervals: (antenna) => every(antenna < waitingLanes ? 1.75 : 0.33)(antenna) },
    publishing: quickly,
  },
  {
    ...short,
    name: 'ble',
    title: 'BLE rooms, two receivers in each',
    layout: () =>
      withSecondAntennas(through([12, 16, 20], { zones: 6, nextDb: 12, secondDb: 20, antennasPerReader: 1 })),
    radio: ble,
    publishing: slowly,
  },
  {
    ...short,
    name: 'dense',
    title: 'BLE at 20 Hz, messages every 1 to 5 s',
    assets: 3,
    layout: () => zonesInRow({ zones: 5, nextDb: 12, secondDb: 20, antennasPerReader: 1, dwell }),
    radio: { ...ble, fadingCorrelation: 0.9, intervals: every(0.05) },
    publishing: { intervalMsMin: secondMs, intervalMsMax: 5 * secondMs },
  },
  {
    ...short,
    name: 'sparse',
    title: 'A read every 2.5 s, halls between the zones',
    runs: 4,
    layout: () => through([16, 20, 24], { zones: 8, nextDb: 18, secondDb: 26, antennasPerReader: 2 }),
    radio: { ...denseUhf, intervals: every(2.5) },
    publishing: slowly,
  },
  {
    ...short,
    name: 'isolated',
    title: 'Isolated rooms',
    runs: 4,
    layout: () => zonesInRow({ zones: 8, nextDb: Infinity, secondDb: Infinity, antennasPerReader: 1, dwell }),
    radio: { ...ble, intervals: every(1) },
    publishing: slowly,
  },
  {
    ...short,
    name: 'clocks',
    title: 'Aisles with wrong clocks',
    runs: 4,
    layout: () => through([14, 18, 22], { zones: 8, nextDb: 14, secondDb: 22, antennasPerReader: 2 }),
    radio: { ...denseUhf, intervals: every(0.5) },
    links: { 2: clock(-180 * secondMs), 3: clock(7200 * secondMs), 4: clock(3 * secondMs) },
    publishing: quickly,
  },
  {
    ...short,
    name: 'outages',
    title: 'Aisles, two readers offline for 20 s',
    runs: 4,
    layout: () => through([14, 18, 22], { zones: 8, nextDb: 14, secondDb: 22, antennasPerReader: 2 }),
    radio: { ...denseUhf, intervals: every(0.5) },
    links: { 1: outage(90), 3: outage(200) },
    publishing: quickly,
  },
  {
    ...short,
    name: 'tags',
    title: 'Second tag up to 12 dB weaker, handheld scans',
    runs: 4,
    layout: () => zonesInRow({ zones: 6, nextDb: 14, secondDb: 22, antennasPerReader: 3, dwell }),
    radio: { ...denseUhf, secondTagLossDbMax: 12, intervals: every(0.5) },
    publishing: quickly,
    scanShare: 0.3,
  },
];

function clock(offsetMs: number): WorldSpec['links'][number] {
  return { offsets: [{ fromMs: -60 * minuteMs, offsetMs }] };
}

function outage(second: number): WorldSpec['links'][number] {
  return { outages: [{ fromMs: second * secondMs, untilMs: (second + 20) * secondMs }] };
}
