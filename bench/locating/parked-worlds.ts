import { type Dwell, withSecondAntennas, zonesInRow } from './layout.js';
import { every, uhf } from './long-worlds.js';
import type { RadioModel, WorldSpec } from './world-spec.js';

/** Longer than any world. */
const forever: Dwell = [{ share: 1, minMs: 1e12, maxMs: 1e12 }];

/** The same level at every read. */
const constant: RadioModel = {
  ...uhf,
  levelDbm: -55,
  visitSd: 0,
  flickerSd: 0,
  sensitivityDbm: -100,
  lossShare: 0,
  intervals: every(0.1),
};
const wandering: RadioModel = { ...constant, fadingSd: 3, fadingCorrelation: 0.9 };

/** Ten minutes. */
const parked = { kind: 'parked' as const, assets: 3, hours: 1 / 6, runs: 2, links: {} };
const anyInterval = { intervalMsMin: 200, intervalMsMax: 5000 };

/** Assets that never move. Each reader publishes messages at its own phase. */
export const parkedWorlds: readonly WorldSpec[] = [
  {
    ...parked,
    name: 'parked',
    title: 'Parked: −55, −65, −75 dBm at three readers, 10 Hz',
    layout: () => zonesInRow({ zones: 3, nextDb: 10, secondDb: 20, antennasPerReader: 1, dwell: forever }),
    radio: constant,
    publishing: { intervalMsMin: 900, intervalMsMax: 1100 },
  },
  {
    ...parked,
    name: 'parked-any',
    title: 'Parked: messages every 0.2 to 5 s',
    runs: 3,
    layout: () => zonesInRow({ zones: 3, nextDb: 10, secondDb: 20, antennasPerReader: 1, dwell: forever }),
    radio: constant,
    publishing: anyInterval,
  },
  {
    ...parked,
    name: 'wandering',
    title: 'Parked: levels wander by 3 dB, the next 8 dB below',
    runs: 3,
    layout: () => zonesInRow({ zones: 4, nextDb: 8, secondDb: 16, antennasPerReader: 1, dwell: forever }),
    radio: wandering,
    publishing: anyInterval,
  },
  {
    ...parked,
    name: 'wandering20',
    title: 'Parked: the same at 20 Hz, two receivers in a location',
    assets: 2,
    layout: () =>
      withSecondAntennas(zonesInRow({ zones: 4, nextDb: 8, secondDb: 16, antennasPerReader: 1, dwell: forever })),
    radio: { ...wandering, intervals: every(0.05) },
    publishing: anyInterval,
  },
];
