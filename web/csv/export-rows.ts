import type { Outputs } from '../api/trpc.js';
import { csvLine, joinTagCell, shieldCell } from './cells.js';
import { columnNames, type FileKind } from './columns.js';

type Asset = Outputs['assets']['exportPage']['data'][number];
type Location = Outputs['locations']['exportPage']['data'][number];

/** The first line of an export. */
export function headerLine(kind: FileKind): string {
  return csvLine(columnNames(kind));
}

/** An asset or location as a line that brings it back unchanged. */
export function exportLine(kind: FileKind, row: Asset | Location): string {
  return csvLine(columnNames(kind).map((column) => shieldCell(cellOf(column, row))));
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
