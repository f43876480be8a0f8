import { periodDaysMax } from '../../tracking/reports/period.js';
import type { Cell, Table } from './file.js';
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
  /** The word for no known location. */
  nowhere: string;
};

/** Returns the same table as the export of the report in the app. */
export function reportTable(api: SubjectApi, request: ReportRequest): Table {
  return tables[request.report.kind](api, request);
}

const tables: Record<ReportKind, (api: SubjectApi, request: ReportRequest) => Table> = {
  dwell: (api, { report, period }) => ({
    columns: [
      ...['location', 'location_key', 'visits', 'median_seconds', 'p95_seconds', 'visits_before'],
      ...['median_seconds_before', 'p95_seconds_before'],
    ],
    pages: once(async () => {
      const { data } = await api.reports.dwell(periodInput(report, period));
      return data.map(({ location, visits, median_seconds, p95_seconds, before }) => [
        ...[location.name, location.external_key, visits, median_seconds, p95_seconds, before?.visits ?? null],
        ...[before?.median_seconds ?? null, before?.p95_seconds ?? null],
      ]);
    }),
  }),
  flow: (api, { report, period, nowhere }) => ({
    columns: ['from', 'to', 'moves'],
    pages: once(async () => {
      const { data } = await api.reports.flow(periodInput(report, period));
      return data.map(({ from, to, moves }) => [from?.name ?? nowhere, to?.name ?? nowhere, moves]);
    }),
  }),
  use: (api, { report, period, timeZone, nowhere }) => ({
    columns: ['location', 'hour_of_day', 'seconds'],
    pages: once(async () => {
      const { location_id: _, ...range } = periodInput(report, period);
      const { data } = await api.reports.use({ ...range, asset_id: report.asset_id ?? 0, time_zone: timeZone });
      return data.flatMap(({ location, seconds_by_hour: hours }) =>
        hours.map((seconds, hour) => [location?.name ?? nowhere, hour, Math.round(seconds)]),
      );
    }),
  }),
  inventory: (api, { report, atMs }) => ({
    columns: ['asset', 'asset_key', 'location', 'location_key', 'arrived_at', 'left_at'],
    pages: paged(
      (offset) =>
        api.visits.assets({ at: new Date(atMs).toISOString(), ...locationOf(report), limit: pageSize, offset }),
      (row) => [
        ...[row.name, row.external_key, row.location.name, row.location.external_key],
        ...[row.arrived_at, row.left_at],
      ],
    ),
  }),
  unseen: (api, { report, nowhere }) => ({
    columns: ['asset', 'asset_key', 'last_location', 'last_seen'],
    pages: paged(
      (offset) =>
        api.reports.unseen({ days: report.days ?? unseenDaysDefault, ...locationOf(report), limit: pageSize, offset }),
      ({ name, external_key, location, last_seen }) => [name, external_key, location?.name ?? nowhere, last_seen],
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
  const isOfPeriod = kind !== 'inventory' && kind !== 'unseen';
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
