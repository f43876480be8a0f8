import { beginJourney, type Journey, type Visit } from './journey.js';
import { createRandom, type Random } from './random.js';
import { activityAt, hourMs, minuteMs, workingInstant } from './shifts.js';
import type { Kind, Thing } from './things.js';

const aisles = ['AISLE-A', 'AISLE-B', 'AISLE-C', 'AISLE-D', 'AISLE-E', 'AISLE-F', 'AISLE-G', 'AISLE-H'];
const lanes = ['PICK-1', 'PICK-2', 'PICK-3', 'PICK-4'];
const docksIn = ['DOCK-1', 'DOCK-2', 'DOCK-3'];
const docksOut = ['DOCK-5', 'DOCK-6', 'DOCK-7'];
const coldRooms = ['COLD-1', 'COLD-2', 'COLD-3'];
const workplaces = ['BENCH-1', 'BENCH-2', 'CHARGE', ...aisles, ...lanes];

const palletsPerTruck = 14;

type Day = {
  random: Random;
  lengthMs: number;
  /** Where the thing was at the end of the previous day; undefined on the first day. */
  place?: string | null | undefined;
};
type Plan = (day: Day, trucks: readonly Truck[]) => Journey;
type Truck = { atMs: number; dock: string };

type DayOptions = {
  seed: number;
  lengthMs: number;
  /** The previous day, whose last zones are the first zones of this day. */
  before?: { no: number; journeys: readonly Visit[][] };
};

/** Plans where each thing is at each instant of the day: the truth. The same seed gives the same visits, in order of time. */
export function planDay(things: readonly Thing[], { seed, lengthMs, before }: DayOptions): Visit[][] {
  const random = createRandom(seed, before ? `day ${before.no + 1}` : 'day');
  const inbound = things.filter(({ kind }) => kind === 'inbound pallet').length;
  const trucks = planTrucks({ random, lengthMs }, Math.max(1, Math.ceil(inbound / palletsPerTruck)));
  return things.map(({ kind }, index) => {
    const place = before?.journeys[index]?.at(-1)?.zone;
    const { visits } = plans[planned(kind, place)]({ random, lengthMs, place }, trucks);
    return visits.filter(({ fromMs }) => fromMs < lengthMs);
  });
}

/** Returns the kind by which a thing moves: pallets that were shipped come back on a truck, and the others are stored. */
function planned(kind: Kind, place: string | null | undefined): Kind {
  if (place === undefined || (kind !== 'stored pallet' && kind !== 'inbound pallet')) return kind;
  return place === null ? 'inbound pallet' : 'stored pallet';
}

function begin({ random, place }: Day, zone: string | null): Journey {
  return beginJourney(random, place === undefined ? zone : place);
}

function planTrucks({ random, lengthMs }: Day, count: number): Truck[] {
  // A truck that arrives in the last minutes could not be unloaded.
  const lastMs = lengthMs * 0.9;
  return Array.from({ length: count }, () => ({ atMs: workingInstant(random, lastMs), dock: random.pick(docksIn) }));
}

const plans: Readonly<Record<Kind, Plan>> = {
  /** Most stay all day; a third is picked and shipped, a few are moved to another aisle. */
  'stored pallet'(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, random.pick(aisles));
    if (random.chance(0.05)) {
      journey.waitUntil(workingInstant(random, lengthMs));
      journey.goTo(random.pick(aisles));
      journey.wait(minutes(random, 30, 90));
    }
    if (random.chance(0.33)) {
      journey.waitUntil(workingInstant(random, lengthMs));
      ship(random, journey);
    }
    return journey;
  },

  /** Arrives on a truck, is unloaded, usually inspected, and put away; one in eight is shipped the same day. */
  'inbound pallet'(day, trucks) {
    const { random } = day;
    const truck = random.pick(trucks);
    const journey = begin(day, null);
    journey.waitUntil(truck.atMs);
    journey.goTo('YARD');
    journey.wait(minutes(random, 1, 6));
    journey.goTo(truck.dock);
    journey.wait(minutes(random, 4, 20));
    if (random.chance(0.7)) {
      journey.goTo('INSPECT');
      journey.wait(minutes(random, 5, 30));
    }
    journey.goTo(random.pick(aisles));
    if (random.chance(0.125)) {
      journey.wait(minutes(random, 60, 240));
      ship(random, journey);
    }
    return journey;
  },

  /** Moves back and forth between picking and packing. */
  tote(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, random.pick([...lanes, ...lanes, 'PACK', ...aisles]));
    const round = [() => random.pick(lanes), () => 'PACK', () => random.pick([...lanes, ...aisles])];
    for (let leg = random.between(0, 2); journey.now() < lengthMs; leg += 1) {
      work(random, journey, { min: 20, max: 90 });
      journey.goTo(round[leg % round.length]?.() ?? 'PACK');
    }
    return journey;
  },

  /** Stays in the cold store, and leaves it for up to half an hour from time to time. */
  'cold box'(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, random.pick(coldRooms));
    while (journey.now() < lengthMs) {
      work(random, journey, { min: 120, max: 360 });
      journey.goTo('AIRLOCK');
      journey.wait(minutes(random, 2, 8));
      if (random.chance(0.4)) {
        journey.goTo(random.pick([...docksIn, 'PACK', ...lanes]));
        journey.wait(minutes(random, 5, 30));
        journey.goTo('AIRLOCK');
        journey.wait(minutes(random, 1, 5));
      }
      journey.goTo(random.pick(coldRooms));
    }
    return journey;
  },

  /** Lies in the tool crib, four in ten all day; the others are taken to a workplace and brought back. */
  tool(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, random.chance(0.8) ? 'CRIB' : random.pick(workplaces));
    if (random.chance(0.4)) return journey;
    while (journey.now() < lengthMs) {
      work(random, journey, { min: 30, max: 240 });
      journey.goTo(random.pick(workplaces));
      journey.wait(minutes(random, 10, 90));
      journey.goTo('CRIB');
    }
    return journey;
  },

  cart(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, random.pick([...lanes, 'PACK', 'INSPECT']));
    while (journey.now() < lengthMs) {
      work(random, journey, { min: 3, max: 20 });
      journey.goTo(random.pick([...lanes, ...aisles, 'PACK', 'INSPECT', ...docksOut]));
    }
    return journey;
  },

  /** Moves all the time, and is charged in between. */
  forklift(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, 'CHARGE');
    journey.wait(minutes(random, 0, 15));
    while (journey.now() < lengthMs) {
      const chargeAtMs = journey.now() + minutes(random, 120, 200);
      while (journey.now() < Math.min(chargeAtMs, lengthMs)) {
        journey.goTo(random.pick(random.chance(0.5) ? docksIn : [...docksOut, 'INSPECT']));
        work(random, journey, { min: 1, max: 4 });
        journey.goTo(random.pick(aisles));
        work(random, journey, { min: 1, max: 4 });
      }
      journey.goTo('CHARGE');
      journey.wait(minutes(random, 20, 45));
    }
    return journey;
  },

  /** Stays in its office; one in ten is carried to another one. */
  'office equipment'(day) {
    const { random, lengthMs } = day;
    const journey = begin(day, random.pick(['DISPATCH', 'DISPATCH', 'OFFICE', 'IT']));
    if (random.chance(0.1)) {
      journey.waitUntil(workingInstant(random, lengthMs));
      journey.goTo(random.pick(['DISPATCH', 'OFFICE', 'IT', 'BENCH-1']));
    }
    return journey;
  },

  /** Passes a dock on a truck that unloads something else, and leaves again. */
  'foreign tag'(day, trucks) {
    const { random } = day;
    const truck = random.pick(trucks);
    const journey = begin(day, null);
    journey.waitUntil(truck.atMs);
    journey.goTo('YARD');
    journey.wait(minutes(random, 1, 6));
    journey.goTo(truck.dock);
    journey.wait(minutes(random, 1, 5));
    journey.goTo('YARD');
    journey.wait(minutes(random, 1, 5));
    journey.leave();
    return journey;
  },
};

/** From storage over a picking lane and packing to a dock, and off the site. */
function ship(random: Random, journey: Journey): void {
  if (random.chance(0.7)) {
    journey.goTo(random.pick(lanes));
    journey.wait(minutes(random, 10, 60));
  }
  journey.goTo('PACK');
  journey.wait(minutes(random, 5, 20));
  journey.goTo(random.pick(docksOut));
  journey.wait(minutes(random, 5, 25));
  journey.goTo('YARD');
  journey.wait(minutes(random, 2, 10));
  journey.leave();
}

/** Stays for some minutes of work, longer at hours when little is done. */
function work(random: Random, journey: Journey, { min, max }: { min: number; max: number }): void {
  const busy = Math.max(activityAt(journey.now()), 0.2);
  journey.wait(Math.min(minutes(random, min, max) / busy, 4 * hourMs));
}

function minutes(random: Random, min: number, max: number): number {
  return (min + random.fraction() * (max - min)) * minuteMs;
}
