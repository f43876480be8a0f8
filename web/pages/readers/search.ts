import type { ReaderStatus } from '../../readers/formats.js';

/** What of the list of readers is shown, as it stands in the address. */
export type ReadersSearch = { q?: string; status?: ReaderStatus; offset?: number };

const statuses: readonly ReaderStatus[] = ['receiving', 'rejecting', 'refused', 'connected', 'silent', 'never'];

export function readersSearch(given: Record<string, unknown>): ReadersSearch {
  const { q, status, offset } = given;
  const known = statuses.find((candidate) => candidate === status);
  return {
    // A name of digits alone is a number in the address.
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q).slice(0, 255) }),
    ...(known && { status: known }),
    ...(typeof offset === 'number' && Number.isInteger(offset) && offset > 0 && { offset }),
  };
}
