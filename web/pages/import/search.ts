import { oneOfPart, searchOf } from '../../ui/address-search.js';

const parts = { kind: oneOfPart(['assets', 'locations']) };

/** Returns the kind of file in the page's address; assets by default. */
export function parseImportSearch(given: Record<string, unknown>): { kind?: 'assets' | 'locations' | undefined } {
  return searchOf(parts, given);
}
