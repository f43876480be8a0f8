import type { Visit } from './journey.js';
import { createRandom } from './random.js';
import type { Antenna, Reader } from './readers.js';
import { leaksInto } from './site.js';
import type { TagType, Thing } from './things.js';

/** A step of the day. */
export const tickMs = 2000;

/** A tag that is new in a field is reported at every step for `freshTicks` steps, later once in `parkedTicks` steps. */
const freshTicks = 10;
const parkedTicks = 30;

/** Signal levels in dBm of a tag at the antenna's own location, and the level at which a reader reads half of the answers. */
const levels: Readonly<
  Record<TagType, { meanDbm: number; spreadDb: number; sensitivityDbm: number; slopeDb: number }>
> = {
  rfid: { meanDbm: -57, spreadDb: 4.5, sensitivityDbm: -70, slopeDb: 1.5 },
  ble: { meanDbm: -66, spreadDb: 5, sensitivityDbm: -88, slopeDb: 2 },
};
/** Standard deviation from one read to the next of a tag that does not move. */
const flickerDb = 2.5;
/** The share of reads lost at any level, to collisions and shielding. */
const lossShare = 0.05;
/** The share of visits in which a reflection halves the attenuation toward a neighboring antenna. */
const reflectionShare = 0.02;

/** A thing that has gone from one zone to another; null is off the site. */
export type Move = { thing: number; zone: string | null; atMs: number };

/** A tag that an antenna has read. Things, tags and readers are given by their indexes. */
export type Read = {
  thing: number;
  tag: number;
  reader: number;
  antenna: Antenna;
  rssiDbm: number;
  atMs: number;
  /** Whether the thing is outside the antenna's own zone. */
  isStray: boolean;
};

export type Step = { moves: Move[]; reads: Read[]; lostReads: number };

/** An antenna that can read tags in a zone, and the attenuation on the way. */
type Link = { reader: number; antenna: Antenna; attenuationDb: number };

/** The signal of one tag at one antenna during one visit. */
type Signal = {
  thing: number;
  tag: number;
  reader: number;
  antenna: Antenna;
  meanDbm: number;
  isStray: boolean;
  /** The number of moves that the thing had made when it arrived, and when it arrived. */
  move: number;
  fromMs: number;
  freshUntilTick: number;
};

/**
 * Simulates movements and reads, step by step: things move as planned, antennas read their tags, miss some, and read some
 * tags in neighboring zones. The same seed gives the same steps.
 */
export function createRadioModel(
  { things, journeys, readers }: { things: readonly Thing[]; journeys: readonly Visit[][]; readers: readonly Reader[] },
  seed: number,
) {
  const random = createRandom(seed, 'air');
  const links = { rfid: linksOf(readers, 'rfid'), ble: linksOf(readers, 'ble') };
  const plannedMoves = journeys
    .flatMap((visits, thing) => visits.map(({ fromMs, zone }) => ({ thing, zone, atMs: fromMs })))
    .sort((a, b) => a.atMs - b.atMs);
  const movesMade = things.map(() => 0);
  /** The signals of parked tags, by the tick of each minute at which they are read. */
  const schedule: Signal[][] = Array.from({ length: parkedTicks }, () => []);
  let fresh: Signal[] = [];
  let tick = 0;
  let moved = 0;

  const isPresent = ({ thing, move }: Signal) => movesMade[thing] === move;

  /** Simulates the next two seconds of the day. */
  function step(): Step {
    const result: Step = { moves: [], reads: [], lostReads: 0 };
    for (let next = plannedMoves[moved]; next && next.atMs < (tick + 1) * tickMs; next = plannedMoves[moved]) {
      moved += 1;
      result.moves.push(next);
      arrive(next);
    }
    fresh = fresh.filter((signal) => isPresent(signal) && tick < signal.freshUntilTick);
    for (const signal of fresh) read(signal, result);
    const slot = tick % parkedTicks;
    const due = (schedule[slot] ?? []).filter(isPresent);
    schedule[slot] = due;
    for (const signal of due) if (tick >= signal.freshUntilTick) read(signal, result);
    tick += 1;
    return result;
  }

  /** Draws the mean level at each antenna, once for the whole visit: it depends on where exactly the thing stands. */
  function arrive({ thing, zone, atMs }: Move): void {
    const move = (movesMade[thing] ?? 0) + 1;
    movesMade[thing] = move;
    if (zone === null) return;
    for (const [tag, { type }] of (things[thing]?.tags ?? []).entries()) {
      for (const { reader, antenna, attenuationDb } of links[type].get(zone) ?? []) {
        const { meanDbm: ownDbm, spreadDb } = levels[type];
        const attenuation = random.chance(reflectionShare) ? attenuationDb / 2 : attenuationDb;
        const meanDbm = random.normal(ownDbm - attenuation, spreadDb);
        // Things that are on the site when the day begins have been there for a time.
        const freshUntilTick = atMs === 0 ? 0 : tick + freshTicks;
        const signal = {
          thing,
          tag,
          reader,
          antenna,
          meanDbm,
          isStray: attenuationDb > 0,
          move,
          fromMs: atMs,
          freshUntilTick,
        };
        fresh.push(signal);
        schedule[random.between(0, parkedTicks - 1)]?.push(signal);
      }
    }
  }

  function read({ thing, tag, reader, antenna, meanDbm, isStray, fromMs }: Signal, result: Step): void {
    const rssiDbm = Math.round(random.normal(meanDbm, flickerDb));
    if (random.chance(readProbability(reader, rssiDbm))) {
      const atMs = Math.max(tick * tickMs + random.between(0, tickMs - 1), fromMs);
      result.reads.push({ thing, tag, reader, antenna, rssiDbm, atMs, isStray });
    } else if (!isStray) result.lostReads += 1;
  }

  function readProbability(reader: number, rssiDbm: number): number {
    const { sensitivityDbm, slopeDb } = levels[readers[reader]?.vendor.tagType ?? 'rfid'];
    return (1 - lossShare) / (1 + Math.exp((sensitivityDbm - rssiDbm) / slopeDb));
  }

  return { step };
}

/** Returns by how many dB a read is stronger than the mean of such tags at the antenna's own location. */
export function relativeLevelDb(type: TagType, rssiDbm: number): number {
  return rssiDbm - levels[type].meanDbm;
}

/** The antennas for one type of tags that can read in each zone. */
function linksOf(readers: readonly Reader[], type: TagType): Map<string, Link[]> {
  const links = new Map<string, Link[]>();
  const add = (zone: string, link: Link) => links.set(zone, [...(links.get(zone) ?? []), link]);
  for (const [reader, { vendor, antennas }] of readers.entries()) {
    if (vendor.tagType !== type) continue;
    for (const antenna of antennas) {
      add(antenna.zone, { reader, antenna, attenuationDb: 0 });
      for (const { zone, db } of leaksInto(antenna.zone)) add(zone, { reader, antenna, attenuationDb: db });
    }
  }
  return links;
}
