import { aheadMaxDb, leakDb, mutualVisits, spreadDb, strayShare } from './constants.js';
import type { AntennaKey, Hearing, Lesson, LocationId, Picture } from './types.js';

/** A picture as it is stored, and when people have reset it. */
export type PictureRow = {
  location: LocationId;
  visits: number;
  resetMs: number;
  antennas: readonly { antenna: AntennaKey; location: LocationId; visits: number; sumDb: number; gapMs: number }[];
};

/** Old visits fade: no more than this many count. */
const visitsMax = 300;
/** Antennas that are kept of a location, those that have received most visits. */
const antennasMax = 32;

/** How loud an antenna is expected at a location, and the natural logarithms of how likely it is to hear the asset there, and not to. */
type Expected = { db: number; heard: number; silent: number; isLearned: boolean; back: Learned | undefined };

type Learned = Picture & {
  resetMs: number;
  /** The location's own antennas. */
  own: readonly AntennaKey[];
  /** What follows from the counts, computed when it is needed, and the sum of `silent` of the antennas that are learned. */
  expected: Map<AntennaKey, Expected>;
  silent: number;
};

/** Creates the pictures of locations: in which share of the visits each antenna hears the location, and how loud if so. */
export function createPictures() {
  const pictures = new Map<LocationId, Learned>();
  const changed = new Set<LocationId>();

  function learn(
    { location, fromMs, spanMs, visits, heard }: Lesson,
    usualGapMs: (antenna: AntennaKey) => number,
  ): void {
    const before = pictures.get(location);
    const { resetMs = 0, visits: visitsBefore = 0 } = before ?? {};
    if (fromMs < resetMs) return;
    const antennas = new Map(before?.antennas);
    const kept = Math.min(1, visitsMax / (visitsBefore + visits));
    for (const [antenna, known] of antennas) {
      // An antenna that reads more rarely than the visit has lasted says nothing by its silence.
      const isSilent = spanMs > 2 * usualGapMs(antenna);
      const share = kept * (isSilent ? 1 : 1 + visits / visitsBefore);
      antennas.set(antenna, { location: known.location, visits: share * known.visits, sumDb: share * known.sumDb });
    }
    for (const { antenna, location: own, db } of heard) {
      // An antenna of the location that is heard for the first time asked too rarely to be heard before.
      const first = own === location ? { visits: visitsBefore, sumDb: visitsBefore * db } : undefined;
      const known = before?.antennas.get(antenna) ?? first;
      const sumDb = kept * ((known?.sumDb ?? 0) + visits * db);
      antennas.set(antenna, { location: own, visits: kept * ((known?.visits ?? 0) + visits), sumDb });
    }
    const rarestFirst = [...antennas].sort(([, one], [, other]) => one.visits - other.visits);
    for (const [antenna] of rarestFirst.slice(0, -antennasMax)) antennas.delete(antenna);
    pictures.set(location, pictureOf(location, { visits: kept * (visitsBefore + visits), resetMs, antennas }));
    changed.add(location);
  }

  /** Returns what is expected of an antenna of the location `own`. */
  function expectedOf(location: LocationId, picture: Learned, { antenna, location: own }: Antenna): Expected {
    const back = own === location ? undefined : pictures.get(own);
    const known = picture.expected.get(antenna);
    if (known && known.back === back) return known;
    const { share, db } = own === location ? expectedAtHome(picture, antenna) : expectedAway(picture, antenna, back);
    const isLearned = picture.antennas.has(antenna);
    const expected: Expected = { db, heard: Math.log(share), silent: Math.log(1 - share), isLearned, back };
    picture.expected.set(antenna, expected);
    if (isLearned) picture.silent += expected.silent - (known?.silent ?? 0);
    return expected;
  }

  return {
    learn,

    get: (location: LocationId): Picture | undefined => pictures.get(location),

    /**
     * Returns how well what antennas hear of an asset fits a location that something was learned of, as a natural logarithm.
     * Antennas that are not given are silent.
     */
    fit(location: LocationId, hearings: readonly Hearing[]): number {
      const picture = pictures.get(location);
      if (!picture) return 0;
      if (picture.expected.size === 0)
        for (const [antenna, { location: own }] of picture.antennas)
          expectedOf(location, picture, { antenna, location: own });
      let fit = 0;
      for (const hearing of hearings) {
        const { db, heard, silent, isLearned } = expectedOf(location, picture, hearing);
        const byLevel = Math.max(-aheadMaxDb, heard - (hearing.db - db) ** 2 / (2 * spreadDb ** 2));
        fit += (1 - hearing.silence) * byLevel + (hearing.silence - (isLearned ? 1 : 0)) * silent;
      }
      return fit + picture.silent;
    },

    takeChanges(gapOf: (antenna: AntennaKey) => number): PictureRow[] {
      const rows = [...changed].flatMap((location): PictureRow[] => {
        const picture = pictures.get(location);
        if (!picture) return [];
        const { visits, resetMs } = picture;
        const antennas = [...picture.antennas].map(([antenna, each]) => ({ antenna, ...each, gapMs: gapOf(antenna) }));
        return [{ location, visits, resetMs, antennas }];
      });
      changed.clear();
      return rows;
    },

    keepChanges(rows: readonly PictureRow[]): void {
      for (const { location } of rows) changed.add(location);
    },

    restore({ location, visits, resetMs, antennas: rows }: PictureRow): void {
      const known = pictures.get(location);
      if (known && known.resetMs >= resetMs && changed.has(location)) return;
      const antennas = new Map(rows.map(({ antenna, gapMs: _, ...each }) => [antenna, each]));
      pictures.set(location, pictureOf(location, { visits, resetMs, antennas }));
      changed.delete(location);
    },
  };
}

type Antenna = { antenna: AntennaKey; location: LocationId };

function pictureOf(location: LocationId, counts: Picture & { resetMs: number }): Learned {
  const own = [...counts.antennas].flatMap(([antenna, each]) => (each.location === location ? [antenna] : []));
  return { ...counts, own, expected: new Map(), silent: 0 };
}

/** An antenna of the location: as it was learned. One visit more counts, in which it hears the asset as loudly as any antenna. */
function expectedAtHome({ visits, antennas }: Picture, antenna: AntennaKey) {
  const { visits: heard, sumDb } = antennas.get(antenna) ?? { visits: 0, sumDb: 0 };
  return { share: (heard + 1 - strayShare) / (visits + 1), db: sumDb / (heard + 1) };
}

/**
 * Any other antenna: as it was learned, and the other way round, since an antenna of A receives B about as well as one of
 * B receives A. One visit more counts for what is expected of any antenna.
 */
function expectedAway({ visits, antennas, own }: Learned, antenna: AntennaKey, back: Picture | undefined) {
  const known = antennas.get(antenna);
  let [count, heard, sumDb] = [visits + 1, known?.visits ?? 0, known?.sumDb ?? 0];
  const weight = mutualVisits / (visits + mutualVisits) / own.length;
  for (const each of back ? own : []) {
    const other = back?.antennas.get(each);
    count += weight * (back?.visits ?? 0);
    heard += weight * (other?.visits ?? 0);
    sumDb += weight * (other?.sumDb ?? 0);
  }
  return { share: (heard + strayShare) / count, db: (sumDb - leakDb) / (heard + 1) };
}
