import { instantOfLocal } from '../time/instant.js';

/** The order of a date of three numbers with the year last: day first, or month first. */
export type DateOrder = 'day-first' | 'month-first';

/** The columns of files that have instants. */
export const dateColumns = ['valid_from', 'valid_to'];

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;
const yearLast = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?:,?[T ]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

/** A date with an ambiguous order. With periods the day is always first. */
export function needsOrder(cell: string): boolean {
  const match = yearLast.exec(cell.trim());
  return match !== null && match[2] !== '.';
}

/** Returns the order that dates can only have; undefined where both fit, or neither fits all of them. */
export function orderOf(cells: Iterable<string>): DateOrder | undefined {
  let [canBeDayFirst, canBeMonthFirst] = [true, true];
  for (const cell of cells) {
    const match = yearLast.exec(cell.trim());
    if (!match || match[2] === '.') continue;
    if (Number(match[1]) > 12) canBeMonthFirst = false;
    if (Number(match[3]) > 12) canBeDayFirst = false;
  }
  if (canBeDayFirst === canBeMonthFirst) return undefined;
  return canBeDayFirst ? 'day-first' : 'month-first';
}

/** Returns the order that people expect in a language; undefined is the browser's. */
export function usualOrder(language?: string): DateOrder {
  const parts = new Intl.DateTimeFormat(language).formatToParts(new Date(2026, 10, 21)).map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month') ? 'day-first' : 'month-first';
}

type Reading = {
  order: DateOrder;
  /** Whether the cell is the end of a time, of which a day without a time of day is a part. */
  isEnd: boolean;
};

/**
 * Returns a date or a local date and time as an RFC 3339 timestamp, in the time zone shown. Anything else stays as it
 * is, timestamps among them.
 */
export function timestampOf(text: string, { order, isEnd }: Reading): string {
  const cell = text.trim();
  const parts = partsOf(cell, order);
  if (!parts) return text;
  const { year, month, day, time } = parts;
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
  if (!isDay || year < 1) return text;
  const [hour = 0, minute = 0, second = 0] = time ?? [];
  if (hour > 23 || minute > 59 || second > 59) return text;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, time || !isEnd ? day : day + 1);
  date.setUTCHours(hour, minute, second);
  return new Date(instantOfLocal(date.getTime())).toISOString();
}

type Parts = { year: number; month: number; day: number; time: number[] | undefined };

function partsOf(cell: string, order: DateOrder): Parts | undefined {
  const timeOf = (hour: string | undefined, minute: string | undefined, second: string | undefined) =>
    hour === undefined ? undefined : [Number(hour), Number(minute), Number(second ?? 0)];
  const iso = yearFirst.exec(cell);
  if (iso) {
    return {
      year: Number(iso[1]),
      month: Number(iso[2]),
      day: Number(iso[3]),
      time: timeOf(iso[4], iso[5], iso[6]),
    };
  }
  const local = yearLast.exec(cell);
  if (!local) return undefined;
  const isDayFirst = local[2] === '.' || order === 'day-first';
  return {
    year: Number(local[4]),
    month: Number(isDayFirst ? local[3] : local[1]),
    day: Number(isDayFirst ? local[1] : local[3]),
    time: timeOf(local[5], local[6], local[7]),
  };
}

/** Returns rows with all dates as timestamps. */
export function withTimestamps(
  rows: readonly { line: number; cells: string[] }[],
  { columns, order }: { columns: readonly string[]; order: DateOrder },
): { line: number; cells: string[] }[] {
  const indexes = columns.flatMap((column, index) =>
    dateColumns.includes(column) ? [{ index, isEnd: column === 'valid_to' }] : [],
  );
  if (indexes.length === 0) return [...rows];
  // The same dates stand in many rows, and finding the offset of a time zone takes microseconds.
  const known = new Map<string, string>();
  return rows.map(({ line, cells }) => {
    const read = [...cells];
    for (const { index, isEnd } of indexes) {
      const cell = cells[index] ?? '';
      const key = `${isEnd}${cell}`;
      const timestamp = known.get(key) ?? timestampOf(cell, { order, isEnd });
      known.set(key, timestamp);
      read[index] = timestamp;
    }
    return { line, cells: read };
  });
}
