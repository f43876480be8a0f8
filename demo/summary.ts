import { errorCauses } from './error-cause.js';
import { locatingJson, locatingText } from './locating-summary.js';
import type { Options } from './options.js';
import type { Outcome } from './outcome.js';
import { formatTime, hourMs, minuteMs } from './shifts.js';
import { markdownTable, percentage } from './table.js';
import { kinds } from './things.js';
import type { Comparison, Tally } from './truth.js';

/** Formats the result of the day as text with tables. */
export function tableOf(options: Options, outcome: Outcome): string {
  const { sum, comparisons, traffic, playedMs, tookMs, lostReads, strayReads } = outcome;
  const hours = (playedMs / hourMs).toFixed(1);
  return [
    `Results for seed ${options.seed}: ${hours} hours, from ${formatTime(0)} to ${formatTime(playedMs)}, played in ${(tookMs / minuteMs).toFixed(1)} minutes (${paceOf(outcome).toFixed(0)} times real time).`,
    `Every five minutes of the day the report of asset locations was compared with the true locations, ${comparisons.length} times in all:`,
    markdownTable(
      ['assets', 'compared', 'at the true location', 'in the same building', 'never seen'],
      [
        ['on the site', ...cellsOf(sum.onSite)],
        ['of these within reach of a reader', ...cellsOf(sum.withinReach)],
      ],
    ),
    'Within reach: in a zone that an antenna for one of the asset’s tags covers.',
    markdownTable(
      ['cause of a wrong location within reach', 'share of those within reach'],
      errorCauses
        .filter((cause) => sum.errors[cause] > 0)
        .map((cause) => [cause, percentage(sum.errors[cause], sum.withinReach.assets)]),
    ),
    markdownTable(
      ['within reach, by kind', 'compared', 'at the true location', 'in the same building', 'never seen'],
      kinds.filter((kind) => sum.byKind[kind].assets > 0).map((kind) => [kind, ...cellsOf(sum.byKind[kind])]),
    ),
    locatingText(options, { ...outcome, pace: paceOf(outcome) }),
    `Sent: ${count(traffic.messages)} messages with ${count(traffic.reads)} reads, ${count(strayReads)} of them stray reads; ${count(traffic.heldReads)} delivered late, ${count(traffic.duplicates)} messages sent twice, ${count(traffic.broken)} also truncated. Lost: ${count(lostReads)} reads.`,
  ].join('\n\n');
}

/**
 * Formats the same as JSON. Shares are from 0 to 1, or null if there is nothing to share; times are milliseconds of the
 * day.
 */
export function jsonOf(options: Options, outcome: Outcome): string {
  const { seed, speed, assets, locationRule } = options;
  const { sum, comparisons, locating, traffic, playedMs, tookMs, lostReads, strayReads } = outcome;
  return JSON.stringify(
    {
      seed,
      assets,
      speed: Number.isFinite(speed) ? speed : 'max',
      location_rule: locationRule ?? 'evidence',
      played_ms: playedMs,
      took_ms: tookMs,
      comparisons: comparisons.length,
      truth: figuresOf(sum),
      locating: locatingJson(locating),
      traffic: { ...traffic, stray_reads: strayReads, lost_reads: lostReads },
      course: comparisons.map(({ atMs, comparison }) => ({ at: formatTime(atMs), ...figuresOf(comparison) })),
    },
    null,
    2,
  );
}

/** How many times faster than real time the day was played. */
function paceOf({ playedMs, tookMs }: Outcome): number {
  return playedMs / Math.max(tookMs, 1);
}

function figuresOf({ onSite, withinReach, errors, away, byKind }: Comparison) {
  return {
    on_site: tallyOf(onSite),
    within_reach: tallyOf(withinReach),
    away,
    errors,
    by_kind: Object.fromEntries(
      kinds.flatMap((kind) => (byKind[kind].assets > 0 ? [[kind, tallyOf(byKind[kind])]] : [])),
    ),
  };
}

function tallyOf({ assets, atTrueLocation, inSameBuilding, neverSeen }: Tally) {
  const part = (value: number) => (assets === 0 ? null : value / assets);
  return {
    assets,
    at_true_location: part(atTrueLocation),
    in_same_building: part(inSameBuilding),
    never_seen: part(neverSeen),
  };
}

function cellsOf({ assets, atTrueLocation, inSameBuilding, neverSeen }: Tally): string[] {
  const share = (part: number) => percentage(part, assets);
  return [count(assets), share(atTrueLocation), share(inSameBuilding), share(neverSeen)];
}

function count(value: number): string {
  return value.toLocaleString('en');
}
