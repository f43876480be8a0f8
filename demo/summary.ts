import type { Options } from './options.js';
import type { Outcome } from './play.js';
import { hourMs, minuteMs, wallClock } from './shifts.js';
import { kinds } from './things.js';
import { errorKinds, type Look, type Tally } from './truth.js';

/** What the day has shown, in words and tables. */
export function tableOf({ seed }: Options, outcome: Outcome): string {
  const { sum, looks, moves, traffic, playedMs, tookMs, lostReads, strayReads } = outcome;
  const hours = (playedMs / hourMs).toFixed(1);
  const pace = (playedMs / Math.max(tookMs, 1)).toFixed(0);
  const { mean, median, p90 } = spreadOf(moves.delaysMs);
  return [
    `The truth of seed ${seed}: ${hours} hours, from ${wallClock(0)} to ${wallClock(playedMs)}, played in ${(tookMs / minuteMs).toFixed(1)} minutes (${pace} times as fast as life).`,
    `${looks.length} times, every five minutes of the day, the report of where assets are was held against where they were:`,
    table(
      ['assets', 'looked at', 'reported at their place', 'in their building', 'never seen'],
      [
        ['on the site', ...cellsOf(sum.onSite)],
        ['of these within reach of a reader', ...cellsOf(sum.withinReach)],
      ],
    ),
    'Within reach means: in a place at which some reader looks with an antenna for one of the asset’s tags.',
    table(
      ['within reach, but reported elsewhere', 'share of those within reach'],
      errorKinds
        .filter((kind) => kind !== 'unexplained' || sum.errors[kind] > 0)
        .map((kind) => [kind, share(sum.errors[kind], sum.withinReach.assets)]),
    ),
    table(
      ['within reach, by kind', 'looked at', 'reported at their place', 'in their building', 'never seen'],
      kinds.filter((kind) => sum.byKind[kind].assets > 0).map((kind) => [kind, ...cellsOf(sum.byKind[kind])]),
    ),
    `Of ${count(moves.made)} moves into reach of a reader ${share(moves.reported, moves.made)} were reported before the asset moved on: on average ${seconds(mean)} of the day later, half of them within ${seconds(median)}, nine in ten within ${seconds(p90)}.`,
    `Sent: ${count(traffic.messages)} messages with ${count(traffic.reads)} reads, ${count(strayReads)} of them strays; ${count(traffic.heldReads)} delivered late, ${count(traffic.duplicates)} messages sent twice, ${count(traffic.broken)} cut in half. Lost in the air: ${count(lostReads)} reads.`,
  ].join('\n\n');
}

/** The same for programs. Shares are from 0 to 1, or null of nothing; times are milliseconds of the day. */
export function jsonOf({ seed, speed, assets }: Options, outcome: Outcome): string {
  const { sum, looks, moves, traffic, playedMs, tookMs, lostReads, strayReads } = outcome;
  const { mean, median, p90 } = spreadOf(moves.delaysMs);
  return JSON.stringify(
    {
      seed,
      assets,
      speed: Number.isFinite(speed) ? speed : 'max',
      played_ms: playedMs,
      took_ms: tookMs,
      looks: looks.length,
      truth: figuresOf(sum),
      moves: {
        made: moves.made,
        reported: moves.reported,
        mean_delay_ms: mean ?? null,
        median_delay_ms: median ?? null,
        p90_delay_ms: p90 ?? null,
      },
      traffic: { ...traffic, stray_reads: strayReads, lost_reads: lostReads },
      course: looks.map(({ atMs, look }) => ({ at: wallClock(atMs), ...figuresOf(look) })),
    },
    null,
    2,
  );
}

function figuresOf({ onSite, withinReach, errors, away, byKind }: Look) {
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

function tallyOf({ assets, atTheirPlace, inTheirBuilding, neverSeen }: Tally) {
  const part = (value: number) => (assets === 0 ? null : value / assets);
  return {
    assets,
    at_their_place: part(atTheirPlace),
    in_their_building: part(inTheirBuilding),
    never_seen: part(neverSeen),
  };
}

function cellsOf({ assets, atTheirPlace, inTheirBuilding, neverSeen }: Tally): string[] {
  return [count(assets), share(atTheirPlace, assets), share(inTheirBuilding, assets), share(neverSeen, assets)];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(2)} %`;
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function seconds(ms: number | undefined): string {
  return ms === undefined ? '–' : `${(ms / 1000).toFixed(0)} s`;
}

function spreadOf(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)];
  const mean = values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
  return { mean, median: at(0.5), p90: at(0.9) };
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, column) => '-'.repeat(width + 1) + (column === 0 ? '-' : ':')).join('|')}|`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}
