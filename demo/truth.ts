import type { Move, Read } from './air.js';
import { isCovered } from './readers.js';
import { buildingOf } from './site.js';
import { kinds, type Kind, type Thing } from './things.js';

/**
 * Why a thing within reach of a reader is reported elsewhere: nobody has read it there yet; its reader has, but is without
 * network; a neighbouring antenna read it later; its reads come with a time before that of an earlier read elsewhere. What
 * none of this explains would be a fault of the service.
 */
export const errorKinds = ['not read yet', 'reader offline', 'stray read', 'wrong clock', 'unexplained'] as const;

export type ErrorKind = (typeof errorKinds)[number];

/** How many assets stood somewhere, and how many of them were reported there. */
export type Tally = { assets: number; atTheirPlace: number; inTheirBuilding: number; neverSeen: number };

/** What one look at the report, or all of them together, have shown. */
export type Look = {
  /** All that were on the site. */
  onSite: Tally;
  /** Those of them that stood where some reader looks with an antenna for their tags. */
  withinReach: Tally;
  /** Not there yet or gone; where the service takes them to be is neither right nor wrong. */
  away: number;
  errors: Record<ErrorKind, number>;
  /** Those within reach, kind by kind. */
  byKind: Record<Kind, Tally>;
};

/** What the report says of an asset; a place of null is one that the service does not know. */
export type Reported = { zone: string | null };

export type MoveCount = {
  /** Moves into a place within reach, from elsewhere, that have ended or were reported. */
  made: number;
  /** Those that were reported before the asset moved on. */
  reported: number;
  /** How long each of these took to be acknowledged, in milliseconds of the day. */
  delaysMs: readonly number[];
};

/** Times closer than this may have been received in the other order. */
const simultaneousMs = 1000;

/** The latest read of a thing at one place, as the service was told of it. */
type Mark = { stampMs: number; order: number; isStray: boolean };

type Known = {
  zone: string | null;
  sinceMs: number;
  isCovered: boolean;
  marks: Map<string, Mark>;
  /** Where the latest read was, by its time. */
  newest: string | undefined;
  /** The last read where it stands that the service has. */
  ownOrder: number;
  isHeld: boolean;
  /** Whether the present stay counts as a move, and when it was reported. */
  isMove: boolean;
  placedAtMs: number | undefined;
};

/** A read as the service has it: with the time that it counts as, epoch milliseconds. */
export type DeliveredRead = { read: Read; stampMs: number };

/** Keeps book of where things are and of what the service was told, and holds its report against that. */
export function createLedger(things: readonly Thing[]) {
  const books = things.map(
    (): Known => ({
      ...{ zone: null, sinceMs: 0, isCovered: false, marks: new Map(), newest: undefined, ownOrder: -1 },
      ...{ isHeld: false, isMove: false, placedAtMs: undefined },
    }),
  );
  const delaysMs: number[] = [];
  let order = 0;
  let ended = 0;

  function moved({ thing, zone, atMs }: Move): void {
    const book = books[thing];
    const tagTypes = things[thing]?.tags.map(({ type }) => type) ?? [];
    if (!book || !isAsset(thing)) return;
    if (book.isMove) ended += 1;
    if (book.placedAtMs !== undefined) delaysMs.push(book.placedAtMs - book.sinceMs);
    Object.assign(book, { zone, sinceMs: atMs, ownOrder: -1, isHeld: false, placedAtMs: undefined });
    book.isCovered = zone !== null && isCovered(zone, tagTypes);
    // What the day begins with has not moved.
    book.isMove = book.isCovered && book.newest !== zone && atMs > 0;
  }

  /** A read that its reader cannot deliver yet. */
  function held({ thing, antenna }: Read): void {
    const book = books[thing];
    if (book && book.zone === antenna.zone) book.isHeld = true;
  }

  /** A read that the service has acknowledged, at this instant of the day. */
  function delivered({ read, stampMs }: DeliveredRead, atMs: number): void {
    const book = books[read.thing];
    if (!book || read.rssiDbm < (read.antenna.minRssiDbm ?? Number.NEGATIVE_INFINITY)) return;
    const { zone } = read.antenna;
    const { marks } = book;
    order += 1;
    if (book.zone === zone && read.atMs >= book.sinceMs) book.ownOrder = order;
    const known = marks.get(zone);
    if (!known || known.stampMs <= stampMs) marks.set(zone, { stampMs, order, isStray: read.isStray });
    const newest = book.newest === undefined ? undefined : marks.get(book.newest);
    if (!newest || newest.stampMs <= stampMs) book.newest = zone;
    if (book.isMove && book.newest === book.zone) book.placedAtMs ??= atMs;
  }

  /** Holds what the service reports of each thing, by its place in their list, against where it is. */
  function compare(reported: ReadonlyMap<number, Reported>): Look {
    const look = emptyLook();
    for (const [thing, book] of books.entries()) {
      if (!isAsset(thing)) continue;
      const { zone } = book;
      if (zone === null) {
        look.away += 1;
        continue;
      }
      const found = reported.get(thing);
      count(look.onSite, zone, found);
      if (!book.isCovered) continue;
      count(look.withinReach, zone, found);
      count(look.byKind[things[thing]?.kind ?? 'stranger'], zone, found);
      if (found?.zone !== zone) look.errors[explain(book, found)] += 1;
    }
    return look;
  }

  function isAsset(thing: number): boolean {
    return things[thing]?.kind !== 'stranger';
  }

  function moves(): MoveCount {
    const open = books.filter(({ isMove, placedAtMs }) => isMove && placedAtMs !== undefined);
    const all = [...delaysMs, ...open.map(({ placedAtMs = 0, sinceMs }) => placedAtMs - sinceMs)];
    return { made: ended + open.length, reported: all.length, delaysMs: all };
  }

  return { moved, held, delivered, compare, moves };
}

export type Ledger = ReturnType<typeof createLedger>;

function explain(book: Known, reported: Reported | undefined): ErrorKind {
  const newest = book.newest === undefined ? undefined : book.marks.get(book.newest);
  const place = reported?.zone ?? undefined;
  const mark = place === undefined ? undefined : book.marks.get(place);
  const isExpected = mark && newest ? newest.stampMs - mark.stampMs <= simultaneousMs : mark === newest;
  if (!isExpected) return 'unexplained';
  if (book.ownOrder < 0) return book.isHeld ? 'reader offline' : 'not read yet';
  if (!mark) return 'unexplained';
  return mark.isStray && mark.order > book.ownOrder ? 'stray read' : 'wrong clock';
}

function count(tally: Tally, zone: string, reported: Reported | undefined): void {
  tally.assets += 1;
  if (!reported) tally.neverSeen += 1;
  if (reported?.zone === zone) tally.atTheirPlace += 1;
  if (reported?.zone && buildingOf(reported.zone) === buildingOf(zone)) tally.inTheirBuilding += 1;
}

function emptyTally(): Tally {
  return { assets: 0, atTheirPlace: 0, inTheirBuilding: 0, neverSeen: 0 };
}

function emptyLook(): Look {
  const errors = Object.fromEntries(errorKinds.map((kind) => [kind, 0])) as Record<ErrorKind, number>;
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, emptyTally()])) as Record<Kind, Tally>;
  return { onSite: emptyTally(), withinReach: emptyTally(), away: 0, errors, byKind };
}

/** Several looks as one. */
export function sumOf(looks: readonly Look[]): Look {
  const sum = emptyLook();
  for (const look of looks) {
    addTo(sum.onSite, look.onSite);
    addTo(sum.withinReach, look.withinReach);
    addTo(sum.errors, look.errors);
    for (const kind of kinds) addTo(sum.byKind[kind], look.byKind[kind]);
    sum.away += look.away;
  }
  return sum;
}

function addTo<Key extends string>(sum: Record<Key, number>, more: Readonly<Record<Key, number>>): void {
  for (const key of Object.keys(more) as Key[]) sum[key] += more[key];
}
