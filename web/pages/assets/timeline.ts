import { t } from '@lingui/core/macro';
import { dayOf, shiftedDay } from '../../time/day.js';
import type { DayRange } from './history-search.js';
import type { Visit } from './use-history.js';

/** A location with the color that it has in the picture, and the time spent there in the range. */
export type LegendItem = { id: number | null; name: string; color: string; lengthMs: number };

/** A part of a visit within one day; `start` and `width` are fractions of the day from 0 to 1. */
export type Segment = { visit: Visit; start: number; width: number; color: string };

export type TimelineDay = { day: string; startMs: number; endMs: number; segments: Segment[] };

export type Timeline = { days: TimelineDay[]; legend: LegendItem[] };

/** Colors that are distinguishable in light and dark mode and do not suggest an error. */
const colors = ['petrol-7', 'yellow-5', 'violet-5', 'blue-4', 'grape-4', 'teal-4', 'pink-3', 'petrol-3'];

const otherColor = 'gray-5';

/**
 * Returns the days of a range, newest first, with the visits on each day. The locations with the longest times have
 * colors of their own.
 */
export function timelineOf(visits: readonly Visit[], range: DayRange, nowMs: number): Timeline {
  const legend = legendOf(visits, range, nowMs);
  const colorOf = new Map(legend.map(({ id, color }) => [id, color]));
  const days: TimelineDay[] = [];
  for (let day = range.to; day >= range.from; day = shiftedDay(day, -1)) {
    const startMs = dayOf(day);
    const endMs = dayOf(shiftedDay(day, 1));
    const segments = visits.flatMap((visit): Segment[] => {
      const part = within(visit, { startMs, endMs }, nowMs);
      if (part === undefined) return [];
      const length = endMs - startMs;
      return [
        {
          visit,
          start: (part.startMs - startMs) / length,
          width: (part.endMs - part.startMs) / length,
          color: colorOf.get(visit.location?.id ?? null) ?? otherColor,
        },
      ];
    });
    days.push({ day, startMs, endMs, segments });
  }
  return { days, legend };
}

type Span = { startMs: number; endMs: number };

/** Returns the part of a visit within a span; undefined if there is none. An open visit ends now. */
function within({ arrived_at: arrived, left_at: left }: Visit, span: Span, nowMs: number): Span | undefined {
  const startMs = Math.max(Date.parse(arrived), span.startMs);
  const endMs = Math.min(left === null ? nowMs : Date.parse(left), span.endMs);
  return endMs > startMs ? { startMs, endMs } : undefined;
}

function legendOf(visits: readonly Visit[], range: DayRange, nowMs: number): LegendItem[] {
  const items = new Map<number | null, LegendItem>();
  for (const visit of visits) {
    const part = within(visit, range, nowMs);
    if (part === undefined) continue;
    const id = visit.location?.id ?? null;
    const item = items.get(id) ?? { id, name: visit.location?.name ?? t`No location`, color: otherColor, lengthMs: 0 };
    item.lengthMs += part.endMs - part.startMs;
    items.set(id, item);
  }
  const longest = Array.from(items.values()).sort((one, other) => other.lengthMs - one.lengthMs);
  let next = 0;
  return longest.map((item) => ({ ...item, color: item.id === null ? otherColor : (colors[next++] ?? otherColor) }));
}
