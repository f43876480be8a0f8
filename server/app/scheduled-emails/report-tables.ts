import { periodDaysMax } from '../../tracking/reports/period.js';
import type { Write } from '../../people/mail/person.js';
import type { Cell, Column, Table } from './file.js';
import type { Period } from './delivery-queries.js';
import type { ReportKind, ScheduledReport } from './schemas.js';
import type { SubjectApi } from './subject-api.js';

/** The default period of reports in the app. */
const periodDaysDefault = 30;
const unseenDaysDefault = 7;

const dayMs = 86_400_000;
const pageSize = 200;

/** Returns how many complete days a report is about. */
export function daysOf({ days = periodDaysDefault }: ScheduledReport): number {
  return Math.min(days, periodDaysMax);
}

export type ReportRequest = {
  report: ScheduledReport;
  period: Period;
  /** The instant that the email is about, in epoch milliseconds. */
  atMs: number;
  timeZone: string;
  words: Write;
};

/** Returns the table of a report, with the rows of its export in the app. */
export function reportTable(api: SubjectApi, request: ReportRequest): Table {
  return tables[request.report.kind](api, request);
}

const text = (title: string): Column => ({ title, kind: 'text' });
const number = (title: string): Column => ({ title, kind: 'number' });
const duration = (title: string): Column => ({ title, kind: 'duration' });
const instant = (title: string): Column => ({ title, kind: 'instant' });

const tables: Record<ReportKind, (api: SubjectApi, request: ReportRequest) => Table> = {
  dwell: (api, { report, period, words }) => ({
    columns: [
      text(words`Location`),
      text(words`Location key`),
      number(words`Visits`),
      duration(words`Median`),
      duration(words`95% are shorter than`),
      number(words`Visits in the period before`),
      duration(words`Median in the period before`),
      duration(words`95% in the period before are shorter than`),
    ],
    pages: once(async () => {
      const { data } = await api.reports.dwell(periodInput(report, period));
      return data.map(({ location, visits, median_seconds, p95_seconds, before }) => [
        location.name,
        location.external_key,
        visits,
        median_seconds,
        p95_seconds,
        before?.visits ?? null,
        before?.median_seconds ?? null,
        before?.p95_seconds ?? null,
      ]);
    }),
  }),
  flow: (api, { report, period, words }) => ({
    columns: [text(words`From`), text(words`To`), number(words`Moves`)],
    pages: once(async () => {
      const { data } = await api.reports.flow(periodInput(report, period));
      return data.map(({ from, to, moves }) => [
        from?.name ?? words`No location`,
        to?.name ?? words`No location`,
        moves,
      ]);
    }),
  }),
  use: (api, { report, period, timeZone, words }) => ({
    columns: [text(words`Location`), number(words`Hour of the day`), duration(words`Time there`)],
    pages: once(async () => {
      const { location_id: _, ...range } = periodInput(report, period);
      const { data } = await api.reports.use({ ...range, asset_id: report.asset_id ?? 0, time_zone: timeZone });
      return data.flatMap(({ location, seconds_by_hour: hours }) =>
        hours.map((seconds, hour) => [location?.name ?? words`No location`, hour, Math.round(seconds)]),
      );
    }),
  }),
  inventory: (api, { report, atMs, words }) => ({
    columns: [
      text(words`Asset`),
      text(words`Key`),
      text(words`Location`),
      text(words`Location key`),
      text(words`Belongs to`),
      instant(words`Arrived`),
      instant(words`Left`),
    ],
    pages: paged(
      (offset) =>
        api.visits.assets({ at: new Date(atMs).toISOString(), ...locationOf(report), limit: pageSize, offset }),
      (row) => [
        row.name,
        row.external_key,
        row.location.name,
        row.location.external_key,
        row.belongs_to_now?.name ?? '',
        row.arrived_at,
        row.left_at,
      ],
    ),
  }),
  unseen: (api, { report, words }) => ({
    columns: [text(words`Asset`), text(words`Key`), text(words`Last location`), instant(words`Last seen`)],
    pages: paged(
      (offset) =>
        api.reports.unseen({ days: report.days ?? unseenDaysDefault, ...locationOf(report), limit: pageSize, offset }),
      ({ name, external_key, location, last_seen }) => [
        name,
        external_key,
        location?.name ?? words`No location`,
        last_seen,
      ],
    ),
  }),
  missing: (api, { report, words }) => ({
    columns: [
      text(words`Asset`),
      text(words`Key`),
      text(words`Belongs to`),
      text(words`Kind`),
      text(words`Location`),
      instant(words`Here since`),
      instant(words`Last seen`),
    ],
    pages: paged(
      (offset) => api.reports.missing({ ...locationOf(report), limit: pageSize, offset }),
      ({ name, external_key, belongs_to, kind, location, located_since, last_seen }) => [
        name,
        external_key,
        belongs_to.name,
        kind?.name ?? '',
        location?.name ?? words`No location`,
        located_since,
        last_seen,
      ],
    ),
  }),
};

function locationOf({ location_id }: ScheduledReport) {
  return location_id === undefined ? {} : { location_id };
}

function periodInput(report: ScheduledReport, { from, until }: Period) {
  // A change of the clocks can make the longest period an hour too long.
  const untilMs = Math.min(until, from + periodDaysMax * dayMs);
  return { from: new Date(from).toISOString(), until: new Date(untilMs).toISOString(), ...locationOf(report) };
}

async function* once(read: () => Promise<Cell[][]>): AsyncGenerator<Cell[][]> {
  yield await read();
}

async function* paged<Row>(
  ask: (offset: number) => Promise<{ data: Row[]; total_count: number }>,
  cellsOf: (row: Row) => Cell[],
): AsyncGenerator<Cell[][]> {
  for (let offset = 0, total = 1; offset < total; ) {
    const page = await ask(offset);
    yield page.data.map(cellsOf);
    if (page.data.length === 0) return;
    offset += page.data.length;
    total = page.total_count;
  }
}

/** Returns the page of the app that shows the same report, for the same time. */
export function reportPath({ report, period, atMs }: Pick<ReportRequest, 'report' | 'period' | 'atMs'>): string {
  const { kind, location_id: locationId, asset_id: assetId, days = unseenDaysDefault } = report;
  const isOfPeriod = !['inventory', 'unseen', 'missing'].includes(kind);
  const parts = {
    ...(kind !== 'dwell' && { report: kind }),
    ...(isOfPeriod && { from: period.from_day, to: period.to_day }),
    ...(locationId !== undefined && { location_id: String(locationId) }),
    ...(assetId !== undefined && { asset_id: String(assetId) }),
    ...(kind === 'unseen' && { days: String(days) }),
    ...(kind === 'inventory' && { at: new Date(atMs).toISOString() }),
  };
  return `/reports?${new URLSearchParams(parts).toString()}`;
}
