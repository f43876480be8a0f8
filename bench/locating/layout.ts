import type { AntennaSetup } from './decider.js';

/** How long an asset stays, in milliseconds: one of the ranges, chosen by its share, then uniform within it. */
export type Dwell = readonly { share: number; minMs: number; maxMs: number }[];

/** The geometry of a site: which antenna reaches which location, and how assets move. Locations count from 1. */
export type Layout = {
  locations: number;
  readers: number;
  antennas: readonly AntennaSetup[];
  /** By location, then antenna: how much weaker than at its own location the antenna receives a tag; Infinity is never. */
  attenuationDb: readonly (readonly number[])[];
  /** By location, then next location: probability of moving there. */
  moves: readonly (readonly number[])[];
  dwell: readonly Dwell[];
};

const minuteMs = 60_000;

/** Five minutes to an hour. */
export const longVisits: Dwell = [{ share: 1, minMs: 5 * minuteMs, maxMs: 60 * minuteMs }];

/** Share of moves that end in an adjacent zone; the other moves end anywhere. */
const adjacentShare = 1 / 3;

type RowShape = {
  zones: number;
  /** Attenuation toward the next zone and the one after it. */
  nextDb: number;
  secondDb: number;
  antennasPerReader: number;
  dwell?: Dwell;
};

/** Builds zones in a row with one antenna each. */
export function zonesInRow({ zones, nextDb, secondDb, antennasPerReader, dwell = longVisits }: RowShape): Layout {
  const byDistance = [0, nextDb, secondDb];
  const indexes = Array.from({ length: zones }, (_, i) => i);
  return {
    locations: zones,
    readers: Math.ceil(zones / antennasPerReader),
    antennas: indexes.map((i) => ({
      reader: Math.floor(i / antennasPerReader) + 1,
      port: (i % antennasPerReader) + 1,
      location: i + 1,
      kind: 'zone',
    })),
    attenuationDb: withNone(indexes.map((i) => indexes.map((j) => byDistance[Math.abs(i - j)] ?? Infinity))),
    moves: withNone(indexes.map((i) => withNoneFirst(movesFrom(i, zones)))),
    dwell: [longVisits, ...indexes.map(() => dwell)],
  };
}

/** Adds portals between zones: each has an antenna of its own, and assets pass it on the way to another zone. */
export function withPortals(
  row: Layout,
  {
    portals,
    portalShare,
    passage,
    earshotDb,
    farDb,
  }: {
    /** The zones beside each portal. */
    portals: readonly (readonly number[])[];
    /** Share of moves from a zone beside a portal or elsewhere that lead through a portal. */
    portalShare: number;
    passage: Dwell;
    /** Attenuation between a portal and the zones beside it. */
    earshotDb: number;
    /** Attenuation between a portal and the zones behind the zones beside it. */
    farDb: number;
  },
): Layout {
  const { locations: zones, readers } = row;
  const between = (zone: number, beside: readonly number[]) => {
    const distance = Math.min(...beside.map((other) => Math.abs(other - zone)));
    return distance === 0 ? earshotDb : distance === 1 ? farDb : Infinity;
  };
  const toPortals = portals.map(() => portalShare / portals.length);
  const toZones = Array.from({ length: zones }, () => 1 / zones);
  const antennas = portals.map(
    (_, i): AntennaSetup => ({ reader: readers + 1, port: i + 1, location: zones + i + 1, kind: 'portal' }),
  );
  return {
    locations: zones + portals.length,
    readers: readers + 1,
    antennas: [...row.antennas, ...antennas],
    attenuationDb: [
      [],
      ...row.attenuationDb.slice(1).map((line, i) => [...line, ...portals.map((beside) => between(i + 1, beside))]),
      ...portals.map((beside, p) => [
        ...toZones.map((_, i) => between(i + 1, beside)),
        ...portals.map((__, other) => (other === p ? 0 : Infinity)),
      ]),
    ],
    moves: [
      [],
      ...row.moves.slice(1).map((line) => [...line.map((chance) => chance * (1 - portalShare)), ...toPortals]),
      ...portals.map(() => [0, ...toZones, ...portals.map(() => 0)]),
    ],
    dwell: [...row.dwell, ...portals.map(() => passage)],
  };
}

/**
 * Adds a hall between all zones: every move leads through it. No antenna covers it, so it is not a location.
 *
 * @param attenuationsDb attenuation between the hall and the antennas, in turn
 */
export function withHall(
  row: Layout,
  { attenuationsDb, crossing }: { attenuationsDb: readonly number[]; crossing: Dwell },
): Layout {
  const zones = Array.from({ length: row.locations }, () => 1 / row.locations);
  return {
    ...row,
    attenuationDb: [
      row.antennas.map((_, i) => attenuationsDb[i % attenuationsDb.length] ?? Infinity),
      ...row.attenuationDb.slice(1),
    ],
    moves: [[0, ...zones], ...row.moves.slice(1).map((line) => [1, ...line.slice(1).map(() => 0)])],
    dwell: [crossing, ...row.dwell.slice(1)],
  };
}

/** Adds a second antenna to every zone, by readers of their own, after all first antennas. */
export function withSecondAntennas(row: Layout): Layout {
  return {
    ...row,
    readers: row.readers * 2,
    antennas: [
      ...row.antennas,
      ...row.antennas.map((antenna) => ({ ...antenna, reader: antenna.reader + row.readers })),
    ],
    attenuationDb: row.attenuationDb.map((line) => [...line, ...line]),
  };
}

function movesFrom(zone: number, zones: number): number[] {
  const adjacent = [zone - 1, zone + 1].filter((other) => other >= 0 && other < zones);
  return Array.from({ length: zones }, (_, other) => {
    if (other === zone) return 0;
    const anywhere = (1 - adjacentShare) / (zones - 1);
    return anywhere + (adjacent.includes(other) ? adjacentShare / adjacent.length : 0);
  });
}

function withNone(lines: number[][]): number[][] {
  return [[], ...lines];
}

function withNoneFirst(line: number[]): number[] {
  return [0, ...line];
}
