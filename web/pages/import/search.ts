import type { FileKind } from '../../csv/columns.js';

/** Returns what the page's address says: which kind of file, assets by default. */
export function parseImportSearch(search: Record<string, unknown>): { kind?: FileKind | undefined } {
  const { kind } = search;
  return kind === 'assets' || kind === 'locations' ? { kind } : {};
}
