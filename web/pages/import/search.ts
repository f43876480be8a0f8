import type { FileKind } from '../../csv/columns.js';

/** Returns the kind of file in the page's address; assets by default. */
export function parseImportSearch(search: Record<string, unknown>): { kind?: FileKind | undefined } {
  const { kind } = search;
  return kind === 'assets' || kind === 'locations' ? { kind } : {};
}
