import { type ErrorCause, errorCauses, explainError, type LocationRule } from './error-cause.js';
import type { Knowledge, Reported } from './knowledge.js';
import { type Move, type Read, relativeLevelDb } from './radio.js';
import { isCovered, readers } from './readers.js';
import { buildingOf } from './site.js';
import { kinds, type Kind, type Thing } from './things.js';

/** How many assets were compared, and how many of them were reported at their true location. */
export type Tally = { assets: number; atTrueLocation: number; inSameBuilding: number; neverSeen: number };

/** The result of one comparison of the report with the truth, or the sum of several. */
export type Comparison = {
  /** All assets that were on the site. */
  onSite: Tally;
  /** Assets on the site in a zone that an antenna for one of their tags covers. */
  withinReach: Tally;
  /** Assets that have not arrived yet or have left; no report of them is right or wrong. */
  away: number;
  errors: Record<ErrorCause, number>;
  /** Assets within reach, by kind. */
  byKind: Record<Kind, Tally>;
};

/** A read as the service receives it, with its effective time in epoch milliseconds. */
export type DeliveredRead = { read: Read; stampMs: number };

/**
 * Records where things are and which reads the service received, and compares the service's report with it.
 *
 * @param rule the rule by which the readers decide, which determines the expected errors
 */
export function createLedger(things: readonly Thing[], rule: LocationRule) {
  const entries = things.map(
    (): Knowledge => ({
      zone: null,
      sinceMs: 0,
      isCovered: false,
      latestReads: new Map(),
      newest: undefined,
      ownOrder: -1,
      newestAtMs: Number.NEGATIVE_INFINITY,
      isHeld: false,
      levels: new Map(),
    }),
  );
  let order = 0;

  /** Records that a thing has moved. */
  function moved({ thing, zone, atMs }: Move): void {
    const entry = entries[thing];
    const tagTypes = things[thing]?.tags.map(({ type }) => type) ?? [];
    if (!entry || !isAsset(thing)) return;
    Object.assign(entry, { zone, sinceMs: atMs, ownOrder: -1, isHeld: false, levels: new Map() });
    entry.isCovered = zone !== null && isCovered(zone, tagTypes);
  }

  /** Records a read that its reader cannot deliver yet. */
  function held({ thing, antenna }: Read): void {
    const entry = entries[thing];
    if (entry && entry.zone === antenna.zone) entry.isHeld = true;
  }

  /** Records a read that the service has acknowledged. */
  function delivered({ read, stampMs }: DeliveredRead): void {
    const entry = entries[read.thing];
    if (!entry || read.rssiDbm < (read.antenna.minRssiDbm ?? Number.NEGATIVE_INFINITY)) return;
    const { zone } = read.antenna;
    const { latestReads } = entry;
    order += 1;
    if (read.atMs >= entry.sinceMs) {
      if (entry.zone === zone) entry.ownOrder = order;
      const levelDb = relativeLevelDb(readers[read.reader]?.vendor.tagType ?? 'rfid', read.rssiDbm);
      const level = entry.levels.get(zone) ?? { reads: 0, sumDb: 0 };
      entry.levels.set(zone, { reads: level.reads + 1, sumDb: level.sumDb + levelDb });
    }
    const known = latestReads.get(zone);
    const atMs = Math.max(read.atMs, known?.atMs ?? Number.NEGATIVE_INFINITY);
    if (!known || known.stampMs <= stampMs) latestReads.set(zone, { stampMs, atMs, order, isStray: read.isStray });
    entry.newestAtMs = Math.max(entry.newestAtMs, read.atMs);
    const newest = entry.newest === undefined ? undefined : latestReads.get(entry.newest);
    if (!newest || newest.stampMs <= stampMs) entry.newest = zone;
  }

  /** Compares the reported location of each thing, by its index, with the true one. */
  function compare(reported: ReadonlyMap<number, Reported>): Comparison {
    const comparison = emptyComparison();
    for (const [thing, entry] of entries.entries()) {
      if (!isAsset(thing)) continue;
      const { zone } = entry;
      if (zone === null) {
        comparison.away += 1;
        continue;
      }
      const found = reported.get(thing);
      count(comparison.onSite, zone, found);
      if (!entry.isCovered) continue;
      count(comparison.withinReach, zone, found);
      count(comparison.byKind[things[thing]?.kind ?? 'foreign tag'], zone, found);
      if (found?.zone !== zone) comparison.errors[explainError(rule, entry, found)] += 1;
    }
    return comparison;
  }

  function isAsset(thing: number): boolean {
    return things[thing]?.kind !== 'foreign tag';
  }

  return { moved, held, delivered, compare };
}

export type Ledger = ReturnType<typeof createLedger>;

function count(tally: Tally, zone: string, reported: Reported | undefined): void {
  tally.assets += 1;
  if (!reported) tally.neverSeen += 1;
  if (reported?.zone === zone) tally.atTrueLocation += 1;
  if (reported?.zone && buildingOf(reported.zone) === buildingOf(zone)) tally.inSameBuilding += 1;
}

function emptyTally(): Tally {
  return { assets: 0, atTrueLocation: 0, inSameBuilding: 0, neverSeen: 0 };
}

function emptyComparison(): Comparison {
  const errors = Object.fromEntries(errorCauses.map((cause) => [cause, 0])) as Record<ErrorCause, number>;
  const byKind = Object.fromEntries(kinds.map((kind) => [kind, emptyTally()])) as Record<Kind, Tally>;
  return { onSite: emptyTally(), withinReach: emptyTally(), away: 0, errors, byKind };
}

/** Adds several comparisons. */
export function sumOf(comparisons: readonly Comparison[]): Comparison {
  const sum = emptyComparison();
  for (const comparison of comparisons) {
    addTo(sum.onSite, comparison.onSite);
    addTo(sum.withinReach, comparison.withinReach);
    addTo(sum.errors, comparison.errors);
    for (const kind of kinds) addTo(sum.byKind[kind], comparison.byKind[kind]);
    sum.away += comparison.away;
  }
  return sum;
}

function addTo<Key extends string>(sum: Record<Key, number>, more: Readonly<Record<Key, number>>): void {
  for (const key of Object.keys(more) as Key[]) sum[key] += more[key];
}
