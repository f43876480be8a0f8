import type { Stay } from './journey.js';
import { createRandom } from './random.js';
import type { Antenna, Reader } from './readers.js';
import { leaksInto } from './site.js';
import type { TagType, Thing } from './things.js';

/** A step of the day. */
export const tickMs = 2000;

/** A tag that is new in a field is reported at every step for so long, and later once a minute. */
const freshTicks = 10;
const parkedTicks = 30;

/** What makes a read: strengths in dBm as a tag of the type has them below the antenna, and what the reader can hear. */
const physics: Readonly<
  Record<TagType, { meanDbm: number; spreadDb: number; sensitivityDbm: number; slopeDb: number }>
> = {
  rfid: { meanDbm: -57, spreadDb: 4.5, sensitivityDbm: -70, slopeDb: 1.5 },
  ble: { meanDbm: -66, spreadDb: 5, sensitivityDbm: -88, slopeDb: 2 },
};
/** From one read to the next of a tag that does not move. */
const flickerDb = 2.5;
/** Reads that are lost however strong they would be: tags that answer at once, people and metal in between. */
const lossShare = 0.05;
/** How often steel carries a tag's answer into a field where it is not, half as weakened as it should be. */
const reflectionShare = 0.02;

/** A thing that has gone from one zone to another; null is away from the site. */
export type Move = { thing: number; zone: string | null; atMs: number };

/** A tag that an antenna has read. Things, tags and readers by their places in their lists. */
export type Read = {
  thing: number;
  tag: number;
  reader: number;
  antenna: Antenna;
  rssiDbm: number;
  atMs: number;
  /** Whether the thing is not in the zone that the antenna looks at. */
  isStray: boolean;
};

export type Step = { moves: Move[]; reads: Read[]; lostReads: number };

type Hearer = { reader: number; antenna: Antenna; db: number };

/** How a tag comes through to an antenna for as long as it stays where it is. */
type Hearing = {
  thing: number;
  tag: number;
  reader: number;
  antenna: Antenna;
  meanDbm: number;
  isStray: boolean;
  /** Which of the thing's moves brought it there. */
  move: number;
  freshUntilTick: number;
};

/**
 * What happens in the air, step after step: things go where the day says, and antennas read their tags, miss some, and
 * read some that are next door. The same for the same seed.
 */
export function createAir(
  { things, stays, readers }: { things: readonly Thing[]; stays: readonly Stay[][]; readers: readonly Reader[] },
  seed: number,
) {
  const random = createRandom(seed, 'air');
  const hearers = { rfid: hearersOf(readers, 'rfid'), ble: hearersOf(readers, 'ble') };
  const toCome = stays
    .flatMap((journey, thing) => journey.map(({ fromMs, zone }) => ({ thing, zone, atMs: fromMs })))
    .sort((a, b) => a.atMs - b.atMs);
  const movesMade = things.map(() => 0);
  /** Tags that stand still have their turn once a round. */
  const round: Hearing[][] = Array.from({ length: parkedTicks }, () => []);
  let fresh: Hearing[] = [];
  let tick = 0;
  let moved = 0;

  const isStillThere = ({ thing, move }: Hearing) => movesMade[thing] === move;

  /** The next two seconds of the day. */
  function step(): Step {
    const done: Step = { moves: [], reads: [], lostReads: 0 };
    for (let next = toCome[moved]; next && next.atMs < (tick + 1) * tickMs; next = toCome[moved]) {
      moved += 1;
      done.moves.push(next);
      arrive(next);
    }
    fresh = fresh.filter((hearing) => isStillThere(hearing) && tick < hearing.freshUntilTick);
    for (const hearing of fresh) listen(hearing, done);
    const turn = tick % parkedTicks;
    const due = (round[turn] ?? []).filter(isStillThere);
    round[turn] = due;
    for (const hearing of due) if (tick >= hearing.freshUntilTick) listen(hearing, done);
    tick += 1;
    return done;
  }

  /** Where exactly a thing stands decides how it is heard, once for its whole stay. */
  function arrive({ thing, zone, atMs }: Move): void {
    const move = (movesMade[thing] ?? 0) + 1;
    movesMade[thing] = move;
    if (zone === null) return;
    for (const [tag, { type }] of (things[thing]?.tags ?? []).entries()) {
      for (const { reader, antenna, db } of hearers[type].get(zone) ?? []) {
        const { meanDbm: bestDbm, spreadDb } = physics[type];
        const weakening = random.chance(reflectionShare) ? db / 2 : db;
        const meanDbm = random.normal(bestDbm - weakening, spreadDb);
        // What the day begins with has stood there before.
        const freshUntilTick = atMs === 0 ? 0 : tick + freshTicks;
        const hearing = { thing, tag, reader, antenna, meanDbm, isStray: db > 0, move, freshUntilTick };
        fresh.push(hearing);
        round[random.between(0, parkedTicks - 1)]?.push(hearing);
      }
    }
  }

  function listen({ thing, tag, reader, antenna, meanDbm, isStray }: Hearing, done: Step): void {
    const rssiDbm = Math.round(random.normal(meanDbm, flickerDb));
    if (random.chance(chanceOfRead(reader, rssiDbm))) {
      const atMs = tick * tickMs + random.between(0, tickMs - 1);
      done.reads.push({ thing, tag, reader, antenna, rssiDbm, atMs, isStray });
    } else if (!isStray) done.lostReads += 1;
  }

  function chanceOfRead(reader: number, rssiDbm: number): number {
    const { sensitivityDbm, slopeDb } = physics[readers[reader]?.vendor.tagType ?? 'rfid'];
    return (1 - lossShare) / (1 + Math.exp((sensitivityDbm - rssiDbm) / slopeDb));
  }

  return { step };
}

function hearersOf(readers: readonly Reader[], type: TagType): Map<string, Hearer[]> {
  const found = new Map<string, Hearer[]>();
  const add = (zone: string, hearer: Hearer) => found.set(zone, [...(found.get(zone) ?? []), hearer]);
  for (const [reader, { vendor, antennas }] of readers.entries()) {
    if (vendor.tagType !== type) continue;
    for (const antenna of antennas) {
      add(antenna.zone, { reader, antenna, db: 0 });
      for (const { zone, db } of leaksInto(antenna.zone)) add(zone, { reader, antenna, db });
    }
  }
  return found;
}
