import type { ReportSearch } from './search.js';

/** The properties of every report: the search of the address, and a function that changes it. */
export type ReportProps = {
  search: ReportSearch;
  show: (change: Partial<Record<keyof ReportSearch, unknown>>) => void;
};
