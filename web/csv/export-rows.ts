import type { Outputs } from '../api/trpc.js';
import { csvLine, joinTagCell, shieldCell, workbookCell } from './cells.js';
import { columnNames, type FileKind, readOnlyColumns } from './columns.js';

type Asset = Outputs['assets']['exportPage']['data'][number];
type Location = Outputs['locations']['exportPage']['data'][number];

/** Returns the first line of a file that is imported. */
export function headerLine(kind: FileKind): string {
  return csvLine(columnNames(kind));
}

/** Returns the column names of an export. */
export function exportHeader(kind: FileKind): string[] {
  return [...columnNames(kind), ...readOnlyColumns[kind]];
}

/**
 * Returns an asset or location as a line that can be imported again unchanged; for an asset also its location and when
 * it was last seen.
 */
export function exportLine(kind: FileKind, row: Asset | Location): string {
  return csvLine(exportCells(kind, row).map(shieldCell));
}

/** Does the same as `exportLine`, for a workbook. */
export function exportRow(kind: FileKind, row: Asset | Location): string[] {
  return exportCells(kind, row).map(workbookCell);
}

function exportCells(kind: FileKind, row: Asset | Location): string[] {
  return [...columnNames(kind).map((column) => cellOf(column, row)), ...readOnlyCells(row)];
}

/** Returns cells in the order of `readOnlyColumns`. */
function readOnlyCells(row: Asset | Location): string[] {
  if (!('location_path' in row)) return [];
  return [row.location_path.join(' › '), row.location_external_key ?? '', row.asset_last_seen ?? ''];
}

function cellOf(column: string, row: Asset | Location): string {
  if (column.endsWith('_tags')) {
    const type = column.slice(0, -'_tags'.length);
    return joinTagCell(row.tags.filter(({ tag_type }) => tag_type === type).map(({ value }) => value));
  }
  const value: unknown = row[column as keyof typeof row];
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
