import {
  dayPart,
  idPart,
  instantPart,
  offsetPart,
  oneOfPart,
  type Search,
  searchOf,
  wholePart,
} from '../../ui/address-search.js';

export const reportKinds = ['dwell', 'flow', 'use', 'inventory', 'unseen', 'missing'] as const;

export type ReportKind = (typeof reportKinds)[number];

/** Days are local, both included. */
const auditsParts = { from: dayPart, to: dayPart, location_id: idPart, offset: offsetPart };

const daysMax = 3650;

const reportParts = {
  ...auditsParts,
  /** Dwell time if undefined. */
  report: oneOfPart(reportKinds),
  asset_id: idPart,
  days: wholePart(1, daysMax),
  at: instantPart,
};

/** The search of a report's address: which report, and its filters. */
export type ReportSearch = Search<typeof reportParts>;

export function parseReportSearch(given: Record<string, unknown>): ReportSearch {
  return searchOf(reportParts, given);
}

/** The search of the address of the list of audits. */
export type AuditsSearch = Search<typeof auditsParts>;

export function parseAuditsSearch(given: Record<string, unknown>): AuditsSearch {
  return searchOf(auditsParts, given);
}
