import type { ReaderStatus } from '../../readers/formats.js';
import { offsetPart, oneOfPart, type Search, searchOf, textPart } from '../../ui/address-search.js';

/** Which part of the list of readers is shown, as in the address. */
export type ReadersSearch = Search<typeof parts>;

export const readerSortFields = ['name', 'status', 'last_message_at', 'location', 'rate', 'rejected_24h'] as const;

export type ReaderSortField = (typeof readerSortFields)[number];

/** Returns the order in an address; undefined if it is missing or unknown. */
export function readerSortOf(text: string): { field: ReaderSortField; descending: boolean } | undefined {
  const field = readerSortFields.find((known) => known === text.replace(/^-/, ''));
  return field && { field, descending: text.startsWith('-') };
}

const parts = {
  q: textPart,
  status: oneOfPart<ReaderStatus>(['receiving', 'rejecting', 'refused', 'connected', 'silent', 'never']),
  sort: (given: unknown) => (typeof given === 'string' && readerSortOf(given) ? given : undefined),
  offset: offsetPart,
};

export function readersSearch(given: Record<string, unknown>): ReadersSearch {
  return searchOf(parts, given);
}
