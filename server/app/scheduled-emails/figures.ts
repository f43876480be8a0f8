import type { MailWords } from '../../people/mail/layout.js';
import type { Write } from '../../people/mail/person.js';
import { assetLocationColumn } from './asset-table.js';
import type { Row } from './file.js';
import type { ReportKind } from './schemas.js';

/** A number of a mail, with what it is about. */
export type Figure = { title: MailWords; detail: MailWords };

/** The numbers that a mail has itself. */
export type Figures = { total: MailWords; listed: Figure[]; more: number };

/** The most numbers in a mail; the file has all. */
const listedMax = 10;

/** Returns the numbers of a report or a view, the largest first. */
export function figuresOf(kind: ReportKind | 'view', rows: readonly Row[], words: Write): Figures {
  switch (kind) {
    case 'view':
      return assetsBy(assetLocationColumn, rows, words);
    case 'inventory':
    case 'unseen':
    case 'missing':
      return assetsBy(2, rows, words);
    case 'flow':
      return topOf(rows, {
        total: words`Moves: ${sumOf(rows, 2)}`,
        amountOf: (row) => Number(row[2]),
        figureOf: ([from, to, moves]) => ({
          title: words`${textOf(from)} → ${textOf(to)}`,
          detail: words`Moves: ${textOf(moves)}`,
        }),
      });
    case 'dwell':
      return topOf(rows, {
        total: words`Visits: ${sumOf(rows, 2)}`,
        amountOf: (row) => Number(row[2]),
        figureOf: ([location, , visits, median]) => ({
          title: words`${textOf(location)}`,
          detail: words`Visits: ${textOf(visits)}, median ${durationText(Number(median))}`,
        }),
      });
    case 'use':
      return timesAt(rows, words);
  }
}

/** Returns the number of assets at each location. */
function assetsBy(column: number, rows: readonly Row[], words: Write): Figures {
  const counts = [...sumsBy(rows, { column, amountOf: () => 1 })];
  return topOf(counts, {
    total: words`Assets: ${rows.length}`,
    amountOf: ([, count]) => count,
    figureOf: ([location, count]) => ({
      title: location === '' ? words`No location` : words`${location}`,
      detail: words`Assets: ${count}`,
    }),
  });
}

/** Returns the time that an asset was at each location. */
function timesAt(rows: readonly Row[], words: Write): Figures {
  const times = [...sumsBy(rows, { column: 0, amountOf: (row) => Number(row[2]) })].filter(
    ([, seconds]) => seconds > 0,
  );
  return topOf(times, {
    total: words`Total time: ${durationText(sumOf(rows, 2))}`,
    amountOf: ([, seconds]) => seconds,
    figureOf: ([location, seconds]) => ({ title: words`${location}`, detail: words`${durationText(seconds)}` }),
  });
}

type Ranking<Item> = { total: MailWords; amountOf: (item: Item) => number; figureOf: (item: Item) => Figure };

function topOf<Item>(items: readonly Item[], { total, amountOf, figureOf }: Ranking<Item>): Figures {
  const listed = items.toSorted((one, other) => amountOf(other) - amountOf(one)).slice(0, listedMax);
  return { total, listed: listed.map(figureOf), more: items.length - listed.length };
}

type Summed = { column: number; amountOf: (row: Row) => number };

function sumsBy(rows: readonly Row[], { column, amountOf }: Summed): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) {
    const name = textOf(row[column]);
    sums.set(name, (sums.get(name) ?? 0) + amountOf(row));
  }
  return sums;
}

function sumOf(rows: readonly Row[], column: number): number {
  return rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);
}

function textOf(cell: Row[number] | undefined): string {
  return String(cell ?? '');
}

/** Returns seconds such as `3 h 12 min`. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return [...(hours > 0 ? [`${hours} h`] : []), ...(rest > 0 || hours === 0 ? [`${rest} min`] : [])].join(' ');
}
