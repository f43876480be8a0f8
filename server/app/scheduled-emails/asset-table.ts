import type { ExportedAsset } from '../../things/assets/export-page.js';
import { tableFilterFields } from '../../things/assets/table-input.js';
import type { Write } from '../../people/mail/person.js';
import type { Cell, Column, Table } from './file.js';
import type { SubjectApi } from './subject-api.js';

const pageSize = 1000;

/**
 * Returns the assets of a saved view, by key. The columns have the names that the app shows, which an import understands.
 *
 * @param midnightMs the beginning of today for "moved today", in epoch milliseconds
 */
export function assetTable(
  api: SubjectApi,
  { words, ...view }: { query: string; midnightMs: number; words: Write },
): Table {
  return { columns: columnsIn(words), pages: pagesOf(api, words, filterOf(view)) };
}

function columnsIn(words: Write): Column[] {
  return [
    { title: words`Key`, kind: 'text' },
    { title: words`Name`, kind: 'text' },
    { title: words`Description`, kind: 'text' },
    { title: words`Active`, kind: 'text' },
    { title: words`Valid from`, kind: 'instant' },
    { title: words`Valid until`, kind: 'instant' },
    { title: words`Kind`, kind: 'text' },
    { title: words`Custom details`, kind: 'text' },
    { title: words`RFID tags`, kind: 'text' },
    { title: words`BLE tags`, kind: 'text' },
    { title: words`Barcodes`, kind: 'text' },
    { title: words`Location`, kind: 'text' },
    { title: words`Location key`, kind: 'text' },
    { title: words`Last seen`, kind: 'instant' },
  ];
}

/** The column that assets are counted by. */
export const assetLocationColumn = 11;

async function* pagesOf(api: SubjectApi, words: Write, filter: Filters): AsyncGenerator<Cell[][]> {
  for (let after: string | null = ''; after !== null; ) {
    const page: { data: ExportedAsset[]; next: string | null } = await api.assets.exportPage({
      ...filter,
      after,
      limit: pageSize,
    });
    yield page.data.map((asset) => cellsOf(asset, words));
    after = page.next;
  }
}

function cellsOf(asset: ExportedAsset, words: Write): Cell[] {
  const { metadata } = asset;
  return [
    asset.external_key,
    asset.name,
    asset.description ?? '',
    asset.is_active ? words`Yes` : words`No`,
    asset.valid_from,
    asset.valid_to,
    asset.kind ?? '',
    metadata === null || Object.keys(metadata).length === 0 ? '' : JSON.stringify(metadata),
    ...['rfid', 'ble', 'barcode'].map((type) => tagCell(asset, type)),
    asset.location_path.join(' › '),
    asset.location_external_key ?? '',
    asset.asset_last_seen,
  ];
}

function tagCell({ tags }: ExportedAsset, type: string): string {
  return tags
    .filter(({ tag_type }) => tag_type === type)
    .map(({ value }) => value.replaceAll(/[\\|]/g, String.raw`\$&`))
    .join('|');
}

type Filters = Partial<{ [Name in keyof typeof tableFilterFields]: (typeof tableFilterFields)[Name]['_zod']['input'] }>;

/** Returns the filters in the query of a view. Like the app, it ignores other parts. */
export function filterOf({ query, midnightMs }: { query: string; midnightMs: number }): Filters {
  const parameters = new URLSearchParams(query);
  const known = Object.entries(tableFilterFields).flatMap(([name, field]) => {
    const text = parameters.get(name);
    if (text === null) return [];
    const value = valueOf(name, text);
    return field.safeParse(value).success ? [[name, value] as const] : [];
  });
  return {
    ...(Object.fromEntries(known) as Filters),
    ...(parameters.get('moved') === 'today' && { moved_since: new Date(midnightMs).toISOString() }),
  };
}

/** The app writes values as JSON. It writes a text unquoted unless the text could be read as JSON. */
function valueOf(name: string, text: string): unknown {
  const value = parsed(text);
  if (name === 'q') return (typeof value === 'string' ? value : text).trim();
  if (name !== 'details' || !Array.isArray(value)) return value;
  return (value as { key?: unknown; value?: unknown }[]).map((detail) => ({
    key: detail?.key,
    value: String(detail?.value),
  }));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
