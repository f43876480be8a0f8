import { leakDb, mutualVisits, strayShare } from './constants.js';
import type { AntennaKey, Expected, Lesson, LocationId, Picture } from './types.js';

/** A picture as it is stored, and when people have reset it. */
export type PictureRow = {
  location: LocationId;
  visits: number;
  resetMs: number;
  antennas: readonly { antenna: AntennaKey; location: LocationId; visits: number; sumDb: number; gapMs: number }[];
};

/** Old visits fade: the counts are halved when there are so many. */
const visitsMax = 300;
/** Antennas that are kept of a location, those that have received most visits. */
const antennasMax = 32;

type Learned = Picture & {
  visits: number;
  resetMs: number;
  antennas: Map<AntennaKey, { location: LocationId; visits: number; sumDb: number }>;
};

/** Creates the pictures of locations: how much quieter than the loudest antenna the others are at each. */
export function createPictures() {
  const pictures = new Map<LocationId, Learned>();
  const changed = new Set<LocationId>();
  /** What antennas are expected to receive at a location, computed when it is needed, and which locations this is of. */
  const expected = new Map<LocationId, Map<AntennaKey, Expected>>();
  const dependents = new Map<LocationId, Set<LocationId>>();

  function forget(location: LocationId): void {
    expected.delete(location);
    for (const dependent of dependents.get(location) ?? []) expected.delete(dependent);
    dependents.delete(location);
  }

  /**
   * Returns what an antenna is expected to hear at a location: as it was learned there, and the other way round, since an
   * antenna of A receives B about as well as one of B receives A. One visit more counts for what is expected of any antenna.
   */
  function computeExpected(location: LocationId, antenna: AntennaKey): Expected {
    const picture = pictures.get(location);
    const known = picture?.antennas.get(antenna);
    const visits = picture?.visits ?? 0;
    const own = known?.location ?? homes.get(antenna);
    let [count, heard, sumDb] = [visits + 1, known?.visits ?? 0, known?.sumDb ?? 0];
    if (own === location) return { share: (heard + 1 - strayShare) / count, db: sumDb / (heard + 1) };
    const back = own === undefined ? undefined : pictures.get(own);
    const others = ownAntennasOf(picture, location);
    const weight = mutualVisits / (visits + mutualVisits) / others.length;
    for (const other of back ? others : []) {
      const each = back?.antennas.get(other);
      count += weight * (back?.visits ?? 0);
      heard += weight * (each?.visits ?? 0);
      sumDb += weight * (each?.sumDb ?? 0);
    }
    if (own !== undefined) dependents.set(own, (dependents.get(own) ?? new Set()).add(location));
    return { share: (heard + strayShare) / count, db: (sumDb - leakDb) / (heard + 1) };
  }

  /** Antennas are met in the pictures of other locations too. */
  const homes = new Map<AntennaKey, LocationId>();

  function learn(
    { location, fromMs, spanMs, visits, heard }: Lesson,
    usualGapMs: (antenna: AntennaKey) => number,
  ): void {
    const before = pictures.get(location) ?? emptyPicture();
    if (fromMs < before.resetMs) return;
    const antennas = before.antennas;
    for (const { antenna, location: own, db } of heard) {
      const known = antennas.get(antenna);
      homes.set(antenna, own);
      antennas.set(antenna, {
        location: own,
        visits: (known?.visits ?? 0) + visits,
        sumDb: (known?.sumDb ?? 0) + visits * db,
      });
    }
    // An antenna that reads more rarely than the visit has lasted says nothing by its silence.
    const more = 1 + visits / before.visits;
    for (const [antenna, known] of antennas) {
      if (heard.some((each) => each.antenna === antenna) || spanMs > 2 * usualGapMs(antenna)) continue;
      antennas.set(antenna, { ...known, visits: known.visits * more, sumDb: known.sumDb * more });
    }
    const after: Learned = { ...before, visits: before.visits + visits, antennas };
    if (after.visits >= visitsMax) halve(after);
    if (antennas.size > antennasMax) dropRarest(antennas);
    pictures.set(location, after);
    changed.add(location);
    forget(location);
  }

  return {
    get: (location: LocationId): Picture | undefined => pictures.get(location),
    learn,

    expected(location: LocationId, antenna: AntennaKey): Expected {
      let ofLocation = expected.get(location);
      if (!ofLocation) expected.set(location, (ofLocation = new Map<AntennaKey, Expected>()));
      let known = ofLocation.get(antenna);
      if (!known) ofLocation.set(antenna, (known = computeExpected(location, antenna)));
      return known;
    },

    takeChanges(gapOf: (antenna: AntennaKey) => number): PictureRow[] {
      const rows = [...changed].flatMap((location): PictureRow[] => {
        const picture = pictures.get(location);
        if (!picture) return [];
        const { visits, resetMs, antennas } = picture;
        return [
          {
            location,
            visits,
            resetMs,
            antennas: [...antennas].map(([antenna, each]) => ({ antenna, ...each, gapMs: gapOf(antenna) })),
          },
        ];
      });
      changed.clear();
      return rows;
    },

    keepChanges(rows: readonly PictureRow[]): void {
      for (const { location } of rows) changed.add(location);
    },

    restore({ location, visits, resetMs, antennas }: PictureRow): void {
      const known = pictures.get(location);
      if (known && known.resetMs >= resetMs && changed.has(location)) return;
      pictures.set(location, {
        visits,
        resetMs,
        antennas: new Map(antennas.map(({ antenna, gapMs: _, ...each }) => [antenna, each])),
      });
      for (const { antenna, location: own } of antennas) homes.set(antenna, own);
      changed.delete(location);
      forget(location);
    },
  };
}

const emptyPicture = (): Learned => ({ visits: 0, resetMs: 0, antennas: new Map() });

function ownAntennasOf(picture: Picture | undefined, location: LocationId): AntennaKey[] {
  if (!picture) return [];
  return [...picture.antennas].flatMap(([antenna, { location: own }]) => (own === location ? [antenna] : []));
}

function halve(picture: Learned): void {
  picture.visits /= 2;
  for (const [antenna, { location, visits, sumDb }] of picture.antennas) {
    picture.antennas.set(antenna, { location, visits: visits / 2, sumDb: sumDb / 2 });
  }
}

function dropRarest(antennas: Map<AntennaKey, { visits: number }>): void {
  const [rarest] = [...antennas].sort(([, one], [, other]) => one.visits - other.visits);
  if (rarest) antennas.delete(rarest[0]);
}
