import { instantOfLocal } from '../time/instant.js';

/** The order of a date of three numbers with the year last: day first, or month first. */
export type DateOrder = 'day-first' | 'month-first';

/** The columns of files that have instants. */
export const dateColumns = ['valid_from', 'valid_to'];

/** With seconds and their fraction, as `2:00 PM`, or as `14.00`, which is usual in Denmark and Finland. */
const timeOfDay = String.raw`(?:,?[T\s]+(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:[:.](?<second>\d{2})(?:[.,]\d+)?)?(?:\s*(?<half>[AP])\.?M\.?)?)?`;
const yearFirst = new RegExp(
  String.raw`^(?<year>\d{4})[-/.] ?(?<month>\d{1,2})[-/.] ?(?<day>\d{1,2})\.?${timeOfDay}$`,
  'i',
);
const yearLast = new RegExp(
  String.raw`^(?<day>\d{1,2})(?<separator>[-/.]) ?(?<month>\d{1,2})\k<separator> ?(?<year>\d{4}|\d{2})${timeOfDay}$`,
  'i',
);
/** As databases write an instant. */
const withOffset =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(?:(Z|UTC|GMT)|([+-]\d{2}):?(\d{2})?)$/i;

type Groups = Readonly<Record<string, string | undefined>>;

/** Only with periods is it certain that two digits at the end are the year, of this century. */
function yearLastIn(cell: string): Groups | undefined {
  const groups: Groups | undefined = yearLast.exec(cell.trim())?.groups;
  return groups?.['year']?.length === 2 && groups['separator'] !== '.' ? undefined : groups;
}

/** A date with an ambiguous order. With periods the day is always first. */
export function needsOrder(cell: string): boolean {
  const found = yearLastIn(cell);
  return found !== undefined && found['separator'] !== '.';
}

/** Returns the order that dates can only have; undefined where both fit, or neither fits all of them. */
export function orderOf(cells: Iterable<string>): DateOrder | undefined {
  let [canBeDayFirst, canBeMonthFirst] = [true, true];
  for (const cell of cells) {
    const found = yearLastIn(cell);
    if (!found || found['separator'] === '.') continue;
    if (Number(found['day']) > 12) canBeMonthFirst = false;
    if (Number(found['month']) > 12) canBeDayFirst = false;
  }
  if (canBeDayFirst === canBeMonthFirst) return undefined;
  return canBeDayFirst ? 'day-first' : 'month-first';
}

/** Returns the order that people expect in a language; undefined is the browser's. */
export function usualOrder(language?: string): DateOrder {
  const parts = new Intl.DateTimeFormat(language).formatToParts(new Date(2026, 10, 21)).map(({ type }) => type);
  return parts.indexOf('day') < parts.indexOf('month') ? 'day-first' : 'month-first';
}

/** The last instant that can be stored. Programs write the last day of the year 9999 where there is no end. */
const lastInstantMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

type Reading = {
  order: DateOrder;
  /** Whether the cell is the end of a period, which includes a day that is given without a time of day. */
  isEnd: boolean;
};

/**
 * Returns a date or a local date and time as an RFC 3339 timestamp, in the time zone shown, and an instant of a database in
 * the same form. Anything else stays as it is.
 */
export function timestampOf(text: string, { order, isEnd }: Reading): string {
  const cell = text.trim();
  const [, date, time, seconds = ':00', utc, hours, minutes = '00'] = withOffset.exec(cell) ?? [];
  if (date !== undefined) return `${date}T${time}${seconds}${utc ? 'Z' : `${hours}:${minutes}`}`;
  const parts = partsOf(cell, order);
  if (!parts) return text;
  const { year, month, day, time: given } = parts;
  const isDay = new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day && month >= 1 && month <= 12;
  if (!isDay || year < 1) return text;
  const [hour = 0, minute = 0, second = 0] = given ?? [];
  if (hour > 23 || minute > 59 || second > 59) return text;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, given || !isEnd ? day : day + 1);
  local.setUTCHours(hour, minute, second);
  return new Date(Math.min(instantOfLocal(local.getTime()), lastInstantMs)).toISOString();
}

type Parts = { year: number; month: number; day: number; time: number[] | undefined };

function partsOf(cell: string, order: DateOrder): Parts | undefined {
  const last = yearLastIn(cell);
  const found: Groups | undefined = last ?? yearFirst.exec(cell)?.groups;
  if (!found) return undefined;
  const [first, second, year] = ['day', 'month', 'year'].map((name) => Number(found[name]));
  const isMonthFirst = last !== undefined && last['separator'] !== '.' && order === 'month-first';
  const [day = 0, month = 0] = isMonthFirst ? [second, first] : [first, second];
  return { year: (year ?? 0) + (found['year']?.length === 2 ? 2000 : 0), month, day, time: timeIn(found) };
}

function timeIn({ hour, minute, second, half }: Groups): number[] | undefined {
  if (hour === undefined) return undefined;
  const given = Number(hour);
  // From 12 to 11: any other hour is none, and so is 24.
  const hours = half === undefined ? given : given < 1 || given > 12 ? 24 : (given % 12) + (/p/i.test(half) ? 12 : 0);
  return [hours, Number(minute), Number(second ?? 0)];
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
