import type { ExportedAsset } from '../../things/assets/export-page.js';
import { tableFilterFields } from '../../things/assets/table-input.js';
import { assetFields, type CsvColumn, type Fields } from '../../kernel/fields.js';
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

type FieldColumn = CsvColumn<typeof assetFields> | 'container_external_key';

/** The titles of the fields and of the container, in the order of the columns. */
const titles: Record<FieldColumn, (words: Write) => string> = {
  external_key: (words) => words`Key`,
  name: (words) => words`Name`,
  description: (words) => words`Description`,
  is_active: (words) => words`Active`,
  valid_from: (words) => words`Valid from`,
  valid_to: (words) => words`Valid until`,
  kind: (words) => words`Kind`,
  belongs_to_external_key: (words) => words`Belongs to`,
  container_external_key: (words) => words`Container`,
  metadata: (words) => words`Custom details`,
};

const fieldColumns = Object.keys(titles) as FieldColumn[];

function columnsIn(words: Write): Column[] {
  const fields: Fields = assetFields;
  return [
    ...fieldColumns.map((name): Column => {
      return { title: titles[name](words), kind: fields[name]?.type === 'instant' ? 'instant' : 'text' };
    }),
    { title: words`RFID tags`, kind: 'text' },
    { title: words`BLE tags`, kind: 'text' },
    { title: words`Barcodes`, kind: 'text' },
    { title: words`Location`, kind: 'text' },
    { title: words`Location key`, kind: 'text' },
    { title: words`Last seen`, kind: 'instant' },
  ];
}

const tagTypes = ['rfid', 'ble', 'barcode'];

/** The column that assets are counted by. */
export const assetLocationColumn = fieldColumns.length + tagTypes.length;

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
  return [
    ...fieldColumns.map((name) => fieldCell(asset[name], words)),
    ...tagTypes.map((type) => tagCell(asset, type)),
    asset.location_path.join(' › '),
    asset.location_external_key ?? '',
    asset.asset_last_seen,
  ];
}

function fieldCell(value: string | boolean | Record<string, unknown> | null, words: Write): Cell {
  if (typeof value === 'boolean') return value ? words`Yes` : words`No`;
  if (typeof value === 'string' || value === null) return value;
  return Object.keys(value).length === 0 ? '' : JSON.stringify(value);
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
