import type { Intervals } from './poll-timing.js';
import type { World } from './world.js';
import type { RadioModel } from './world-spec.js';

/** A tag's unknown mean level is one of so many points around the expected level. */
export const gridPoints = 15;
/** Distance between two points, as a share of the spread of the level. */
const gridShare = 1 / 1.8;

/** Densities are looked up in steps of a quarter of a decibel. */
const stepsPerDb = 4;
/** Larger differences count as this one. */
const differenceDbMax = 50;
const tableDbMax = 120;

/** What is known of a world's radio model, as tables. */
export type OracleModel = {
  locations: number;
  /** By location: positions of the antennas that reach it. */
  reach: readonly (readonly number[])[];
  /** By antenna: the locations that it reaches. */
  reached: readonly (readonly number[])[];
  /** By location, then antenna: position in `reach`, or -1. */
  slots: readonly Int16Array[];
  /** By location, then antenna: expected level in dBm of a tag without mounting loss. */
  patternDbm: readonly Float64Array[];
  /** Standard deviation of a tag's mean level around the pattern. */
  spreadDb: number;
  /** Distance between two points of the grid in dB. */
  gridDb: number;
  /** After a change of level, the correlation of its deviation from the pattern with that before. */
  changeCorrelation: number;
  /** Chance per millisecond that such a change happens; 0 if it never does. */
  changePerMs: number;
  intervals: readonly Intervals[];
  /** Without any read for longer than this an asset is shielded; infinite where that does not happen. */
  silentMsMax: number;
  /** By location: chance per millisecond that the asset leaves. */
  leavePerMs: Float64Array;
  /** By location and next location, in rows. */
  moves: Float64Array;
  /** Returns the probability that a poll of a tag with this mean level yields no read. */
  missAt(meanDbm: number): number;
  /** Density of a read by its difference from the tag's mean level; factors that are the same for all levels are left out. */
  density: Float64Array;
};

/** Derives the tables from the model that the world was simulated with. */
export function createOracleModel({ layout, spec, gainsDb }: World): OracleModel {
  const { radio } = spec;
  const locations = layout.attenuationDb.map((_, location) => location);
  const antennas = layout.antennas.map((_, antenna) => antenna);
  const attenuation = (location: number, antenna: number) => layout.attenuationDb[location]?.[antenna] ?? Infinity;
  const reach = locations.map((location) => antennas.filter((antenna) => attenuation(location, antenna) < Infinity));
  const spreadDb = Math.hypot(radio.visitSd, radio.bodySd);
  const intervals = antennas.map((antenna) => radio.intervals(antenna));
  const density = Float64Array.from({ length: 2 * tableDbMax * stepsPerDb + 1 }, (_, step) =>
    levelDensity(radio, step / stepsPerDb - tableDbMax),
  );
  return {
    ...{ locations: locations.length, reach, spreadDb, intervals, density },
    moves: Float64Array.from(locations.flatMap((from) => locations.map((to) => layout.moves[from]?.[to] ?? 0))),
    reached: antennas.map((antenna) => locations.filter((location) => attenuation(location, antenna) < Infinity)),
    slots: reach.map((ofLocation) => Int16Array.from(antennas, (antenna) => ofLocation.indexOf(antenna))),
    patternDbm: locations.map((location) =>
      Float64Array.from(antennas, (a) => radio.levelDbm - attenuation(location, a) + (gainsDb[a] ?? 0)),
    ),
    gridDb: Math.round(spreadDb * gridShare * stepsPerDb) / stepsPerDb,
    changeCorrelation: radio.visitSd ** 2 / spreadDb ** 2,
    changePerMs: radio.bodySd > 0 ? 1 / radio.bodyMs : 0,
    silentMsMax:
      radio.silenceShare > 0 ? 3 * Math.max(...intervals.map(({ laterIntervalMs }) => laterIntervalMs)) : Infinity,
    leavePerMs: Float64Array.from(
      layout.dwell,
      (dwell) => 1 / dwell.reduce((mean, { share, minMs, maxMs }) => mean + (share * (minMs + maxMs)) / 2, 0),
    ),
    missAt: (meanDbm) => missProbability(radio, meanDbm),
  };
}

/** Returns the index of a difference in dB in the table of densities. */
export function tableSteps(differenceDb: number): number {
  const clamped = Math.max(-differenceDbMax, Math.min(differenceDbMax, differenceDb));
  return Math.round((clamped + tableDbMax) * stepsPerDb);
}

/** Returns how many steps of that table the points of a grid are apart. */
export function stepsPerPoint({ gridDb }: OracleModel): number {
  return Math.round(gridDb * stepsPerDb);
}

function missProbability({ channelsDb, flickerSd, lossShare, sensitivityDbm, slopeDb }: RadioModel, meanDbm: number) {
  let read = 0;
  let total = 0;
  for (const channelDb of channelsDb) {
    for (let z = -3.5; z <= 3.5; z += 0.125) {
      const weight = Math.exp((-z * z) / 2);
      const dbm = meanDbm + channelDb + z * flickerSd;
      read += weight / (1 + Math.exp((sensitivityDbm - dbm) / slopeDb));
      total += weight;
    }
  }
  return 1 - ((1 - lossShare) * read) / total;
}

function levelDensity({ channelsDb, flickerSd }: RadioModel, differenceDb: number): number {
  // Rounding to whole decibels adds a variance of a twelfth.
  const variance = flickerSd ** 2 + 1 / 12;
  let density = 0;
  for (const channelDb of channelsDb) density += Math.exp(-((differenceDb - channelDb) ** 2) / (2 * variance));
  return density / (channelsDb.length * Math.sqrt(2 * Math.PI * variance));
}
