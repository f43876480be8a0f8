import type { ReaderStatus } from '../../readers/formats.js';

/** Which part of the list of readers is shown, as in the address. */
export type ReadersSearch = { q?: string; status?: ReaderStatus; sort?: string; offset?: number };

export const readerSortFields = ['name', 'status', 'last_message_at', 'location', 'rate', 'rejected_24h'] as const;

export type ReaderSortField = (typeof readerSortFields)[number];

/** Returns the order in an address; undefined if it is missing or unknown. */
export function readerSortOf(text: string): { field: ReaderSortField; descending: boolean } | undefined {
  const field = readerSortFields.find((known) => known === text.replace(/^-/, ''));
  return field && { field, descending: text.startsWith('-') };
}

const statuses: readonly ReaderStatus[] = ['receiving', 'rejecting', 'refused', 'connected', 'silent', 'never'];

export function readersSearch(given: Record<string, unknown>): ReadersSearch {
  const { q, status, sort, offset } = given;
  const known = statuses.find((candidate) => candidate === status);
  return {
    // The router parses a name of digits as a number.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 255) }),
    ...(known && { status: known }),
    ...(typeof sort === 'string' && readerSortOf(sort) && { sort }),
    ...(typeof offset === 'number' && Number.isInteger(offset) && offset >= 0 && { offset }),
  };
}
