import { t } from '@lingui/core/macro';
import type { FileColumns } from '../api/file-columns.js';
import type { Inputs, Outputs } from '../api/trpc.js';

export type FileKind = Inputs['imports']['create']['kind'];

type Words = { words: string; example: string };

type ColumnWords = Words & { name: string };

const tagWords = t`Several are separated by |. Write \\| and \\\\ for these characters within a tag.`;

const common = {
  external_key: { words: t`The key of the asset or location. Empty: a new one with the next free key.`, example: '' },
  name: { words: t`Required.`, example: 'Forklift 7' },
  description: { words: t`Empty: no description.`, example: 'Electric, 1.6 t' },
  is_active: { words: t`true or false, or yes or no in another language. Empty: true, or unchanged.`, example: 'true' },
  valid_from: { words: t`A date such as 2026-11-21, or a date and time. Empty: now, or unchanged.`, example: '' },
  valid_to: { words: t`As above. A date without a time includes that day. Empty: no end date.`, example: '' },
};

const tags = {
  rfid_tags: { words: t`RFID tags. ${tagWords}`, example: 'E28011700000020A1B2C3D4E' },
  ble_tags: { words: t`BLE tags, in the same way.`, example: 'AC:23:3F:A0:32:08' },
  barcode_tags: { words: t`Barcodes, in the same way.`, example: '4006381333931' },
};

const assetColumns: Record<FileColumns['assets'], Words> = {
  ...common,
  kind: { words: t`The name of its kind. A name that is of no kind yet creates it. Empty: none.`, example: 'Forklift' },
  belongs_to_external_key: {
    words: t`The key, the name or the path of the location that it belongs to. Empty: none.`,
    example: '',
  },
  container_external_key: {
    words: t`The key of the asset that it is in, such as a cart or a box; it can be on any line of the file. Empty: none.`,
    example: '',
  },
  metadata: { words: t`Custom details as a JSON object. Empty: none.`, example: '{"owner":"Hall 2"}' },
  ...tags,
};

const locationColumns: Record<FileColumns['locations'], Words> = {
  ...common,
  parent_external_key: {
    words: t`The key, the name or the path of the location that contains this one; it can be on any line of the file. Empty: top level.`,
    example: '',
  },
  ...tags,
};

/** The columns of files, in the order in which exports have them. */
export const fileColumns: Record<FileKind, readonly ColumnWords[]> = {
  assets: named(assetColumns),
  locations: named(locationColumns),
};

function named(columns: Readonly<Record<string, Words>>): ColumnWords[] {
  return Object.entries(columns).map(([name, words]) => ({ name, ...words }));
}

/** Columns that place assets. Exports have none of them: what they say of the past is not where the assets are. */
export const placeColumns: Record<FileKind, readonly ColumnWords[]> = {
  assets: [
    {
      name: 'place_at',
      words: t`Places the asset at a location: its key, its name, or its path such as Hall 1 › Dock or Hall 1 / Dock. Empty: the asset stays where it is.`,
      example: '',
    },
    {
      name: 'place_at_or_create',
      words: t`The same. A location that does not exist is created, and so are those above it in its path.`,
      example: '',
    },
  ],
  locations: [],
};

type ImportedColumn = Outputs['imports']['changes']['data'][number]['fields'][number]['column'];

/** What people call the columns. */
const labels: Readonly<Record<Exclude<ImportedColumn, `detail:${string}`>, string>> = {
  external_key: t`Key`,
  name: t`Name`,
  description: t`Description`,
  is_active: t`Active`,
  valid_from: t`Valid from`,
  valid_to: t`Valid until`,
  kind: t`Kind`,
  belongs_to_external_key: t`Belongs to`,
  container_external_key: t`Container key`,
  metadata: t`Custom details as JSON`,
  parent_external_key: t`Parent location`,
  rfid_tags: t`RFID tags`,
  ble_tags: t`BLE tags`,
  barcode_tags: t`Barcodes`,
  place_at: t`Location, which exists`,
  place_at_or_create: t`Location, created if it does not exist`,
  location: t`Location`,
  location_external_key: t`Location key`,
};

/** Returns what people call a column: its label, or the name of its custom detail. */
export function columnLabel(column: string): string {
  return (labels as Readonly<Record<string, string>>)[column] ?? detailOf(column) ?? column;
}

const detailPrefix = 'detail:';
const detailNameMax = 255;

/** Returns the column of the custom detail that a header names, without what Homebox and Shelf add to the name. */
export function detailColumn(header: string): string {
  const name = header.replace(/^HB\.(?=.)/i, '').replace(/^cf: *(?=[^ ])([^,]*), *type:.*$/i, '$1');
  return `${detailPrefix}${name.slice(0, detailNameMax)}`;
}

/** Returns the name of the custom detail that a column holds; undefined for another column. */
export function detailOf(column: string): string | undefined {
  return column.startsWith(detailPrefix) ? column.slice(detailPrefix.length) : undefined;
}

/** Columns that exports of assets have for people; an import does not change what they show. */
export const readOnlyColumns: Record<FileKind, readonly string[]> = {
  assets: ['location', 'location_external_key', 'last_seen_at'],
  locations: [],
};

/** Read-only columns that an import compares with what is stored, to name the rows in which they differ. */
export const comparedColumns: readonly string[] = ['location', 'location_external_key'];

/** Returns the columns that a file can have, and that an import changes something by. */
export function importedNames(kind: FileKind): string[] {
  return [...columnNames(kind), ...placeColumns[kind].map(({ name }) => name)];
}

export function columnNames(kind: FileKind): string[] {
  return fileColumns[kind].map(({ name }) => name);
}
