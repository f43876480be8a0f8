import { instantIn } from '../../time/instant.js';
import { dayIn } from '../../reports/period.js';

export const reportKinds = ['dwell', 'flow', 'use', 'inventory', 'unseen', 'missing'] as const;

export type ReportKind = (typeof reportKinds)[number];

/** The search of a report's address: which report, and its filters. Days are local, both included. */
export type ReportSearch = {
  /** Dwell time if undefined. */
  report?: ReportKind;
  from?: string;
  to?: string;
  location_id?: number;
  asset_id?: number;
  days?: number;
  at?: string;
  offset?: number;
};

const idMax = 2_147_483_647;
const daysMax = 3650;

export function parseReportSearch(given: Record<string, unknown>): ReportSearch {
  const report = reportKinds.find((kind) => kind === given['report']);
  return {
    ...(report !== undefined && { report }),
    ...parsePeriodSearch(given),
    ...number('asset_id', given, idMax),
    ...number('days', given, daysMax),
    ...(instantIn(given['at']) !== undefined && { at: instantIn(given['at']) as string }),
    ...offsetIn(given),
  };
}

/** The search of the address of the list of audits. */
export type AuditsSearch = { from?: string; to?: string; location_id?: number; offset?: number };

export function parseAuditsSearch(given: Record<string, unknown>): AuditsSearch {
  return { ...parsePeriodSearch(given), ...offsetIn(given) };
}

function parsePeriodSearch(given: Record<string, unknown>): Omit<AuditsSearch, 'offset'> {
  const [from, to] = [dayIn(given['from']), dayIn(given['to'])];
  return {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...number('location_id', given, idMax),
  };
}

function number<Key extends string>(key: Key, given: Record<string, unknown>, max: number): { [K in Key]?: number } {
  const value = given[key];
  const isGood = typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max;
  return isGood ? ({ [key]: value } as { [K in Key]?: number }) : {};
}

/** An address may contain the offset 0 of the first page. */
function offsetIn(given: Record<string, unknown>): { offset?: number } {
  return given['offset'] === 0 ? { offset: 0 } : number('offset', given, idMax);
}
