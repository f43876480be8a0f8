import type { Api, Inputs, Outputs } from '../api/trpc.js';
import { byteOrderMark, csvLine } from '../csv/cells.js';
import type { FileKind } from '../csv/columns.js';
import { exportHeader, exportLine, exportRow } from '../csv/export-rows.js';

/** What is exported: all rows that match the filter, or only chosen rows. */
export type ExportScope =
  | {
      kind: 'assets';
      filter?: Omit<Inputs['assets']['exportPage'], 'ids' | 'after' | 'limit'>;
      ids?: readonly number[];
    }
  | { kind: 'locations'; ids?: readonly number[] };

export type ExportRow =
  | Outputs['assets']['exportPage']['data'][number]
  | Outputs['locations']['exportPage']['data'][number];

type Watch = { onRows?: (rows: number) => void; signal?: AbortSignal };

/** The most ids in one request's address. */
const idsAtOnce = 200;

/** Yields the rows of an export page by page, so that only one page is in memory. */
export async function* exportPages(api: Api, scope: ExportScope, { signal }: Watch = {}): AsyncGenerator<ExportRow[]> {
  for (const ids of batchesOf(scope.ids)) {
    let after: string | null = '';
    while (after !== null) {
      const input: { ids?: number[]; after: string; limit: number } = { ...(ids && { ids }), after, limit: 1000 };
      const options = signal ? { signal } : {};
      const page: { data: ExportRow[]; next: string | null } =
        scope.kind === 'assets'
          ? await api.assets.exportPage.query({ ...scope.filter, ...input }, options)
          : await api.locations.exportPage.query(input, options);
      yield page.data;
      after = page.next;
    }
  }
}

function batchesOf(ids: readonly number[] | undefined): (number[] | undefined)[] {
  if (!ids) return [undefined];
  return Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, index) =>
    ids.slice(index * idsAtOnce, (index + 1) * idsAtOnce),
  );
}

export type ExportFormat = 'csv' | 'xlsx';

/**
 * Collects the whole file, whatever its size; rejects with the signal's reason if aborted.
 *
 * @throws WorkbookError if a cell is too long for Excel
 */
export async function collectExport(
  api: Api,
  { format, ...scope }: ExportScope & { format: ExportFormat },
  { onRows, signal }: Watch,
): Promise<Blob> {
  const { kind } = scope;
  const lines: string[] = [byteOrderMark, csvLine(exportHeader(kind))];
  const table = [exportHeader(kind)];
  let rows = 0;
  for await (const page of exportPages(api, scope, signal ? { signal } : {})) {
    signal?.throwIfAborted();
    if (format === 'csv') lines.push(page.map((row) => exportLine(kind, row)).join(''));
    else for (const row of page) table.push(exportRow(kind, row));
    rows += page.length;
    onRows?.(rows);
  }
  if (format === 'csv') return new Blob(lines, { type: 'text/csv;charset=utf-8' });
  // The library is loaded when it is needed.
  const { writeWorkbook } = await import('../csv/workbook.js');
  return writeWorkbook(kind, table);
}

/** Passes a file to the browser's downloads. */
export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has begun by then, however slow the disk.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Returns the name of an export, such as `assets-2026-01-31.csv`. */
export function exportName(kind: FileKind, format: ExportFormat): string {
  return `${kind}-${new Date().toISOString().slice(0, 10)}.${format}`;
}
