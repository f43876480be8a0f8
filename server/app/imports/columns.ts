import {
  assetFields,
  type CellField,
  type CsvColumn,
  csvColumns,
  type Field,
  type Fields,
  fieldsFor,
  locationFields,
  type ValueOf,
} from '../../kernel/fields.js';
import type { TagType } from '../../things/tags/schemas.js';

/** The kinds of rows that can be imported from a file. */
export const importKinds = ['assets', 'locations'] as const;

export type ImportKind = (typeof importKinds)[number];

/** For both kinds: a column of tags holds tags of one type. */
export const tagColumns = {
  rfid_tags: 'rfid',
  ble_tags: 'ble',
  barcode_tags: 'barcode',
} as const satisfies Record<string, TagType>;

/** Returns the column of the tags of a type. */
export function tagColumnOf(type: TagType): keyof typeof tagColumns {
  return `${type}_tags`;
}

type AssetFields = typeof assetFields;
type LocationFields = typeof locationFields;

/** The fields of the table of each kind. */
export const tableFields = { assets: assetFields, locations: locationFields } as const satisfies Record<
  ImportKind,
  Fields
>;

/** A field whose values are in the cells of a file. Its column has the name of the field. */
export type CellName = CellField<AssetFields> | CellField<LocationFields>;

/** The value of a field in a cell; an instant is epoch milliseconds, and an object is JSON. */
export type CellValue<Name extends CellName> = (AssetFields & LocationFields)[Name]['type'] extends 'json'
  ? string
  : ValueOf<(AssetFields & LocationFields)[Name]>;

/** The fields in the cells of files, of both kinds. */
export const cellFields = Object.fromEntries(
  Object.values<Fields>(tableFields).flatMap((fields) =>
    Object.entries(fields).filter(([, { uses, label }]) => uses.includes('csv') && label === undefined),
  ),
) as Record<CellName, Field>;

export const cellNames = Object.keys(cellFields) as CellName[];

export function isCell(column: ImportColumn): column is CellName {
  return column in cellFields;
}

/** Returns the fields of the file's columns that an import changes. The key finds the row, and stays. */
export function changedCells(kind: ImportKind, columns: readonly ImportColumn[]): CellName[] {
  const present = storedColumns(columns);
  return fieldsFor(tableFields[kind], 'patch').filter((name) => isCell(name) && present.includes(name));
}

/** The column with the key of the container that an asset is in. */
export const containerColumn = 'container_external_key';

/** Columns of an export that an import compares with what is stored, and does not change. */
export const comparedColumns = ['location', 'location_external_key'] as const;

export type ComparedColumn = (typeof comparedColumns)[number];

/** Columns with the locations of assets, which count as set by a person; the second one creates locations that do not exist. */
export const placeColumns = ['place_at', 'place_at_or_create'] as const;

export type PlaceColumn = (typeof placeColumns)[number];

export function isPlace(column: ImportColumn): column is PlaceColumn {
  return (placeColumns as readonly ImportColumn[]).includes(column);
}

/** A column of one custom detail; its name follows the colon. */
export type DetailColumn = `detail:${string}`;

export type ImportColumn =
  | CsvColumn<AssetFields>
  | CsvColumn<LocationFields>
  | keyof typeof tagColumns
  | ComparedColumn
  | typeof containerColumn
  | PlaceColumn
  | DetailColumn;

/** The columns of exports of each kind, which imports read, besides columns for people. */
export type FileColumns = {
  [Kind in ImportKind]:
    | CsvColumn<(typeof tableFields)[Kind]>
    | keyof typeof tagColumns
    | (Kind extends 'assets' ? typeof containerColumn : never);
};

const tagNames = Object.keys(tagColumns) as (keyof typeof tagColumns)[];

/** The columns of each kind, besides custom details; the app's exports have all of them but the places. */
export const importColumns: Record<ImportKind, readonly ImportColumn[]> = {
  assets: [...csvColumns(assetFields), ...tagNames, containerColumn, ...comparedColumns, ...placeColumns],
  locations: [...csvColumns(locationFields), ...tagNames],
};

const detailPrefix = 'detail:';

/** Returns the name of the custom detail that a column holds; undefined for another column. */
export function detailOf(column: string): string | undefined {
  return column.startsWith(detailPrefix) ? column.slice(detailPrefix.length) : undefined;
}

/** Returns the columns of what is stored: all custom details are in one. */
export function storedColumns(columns: readonly ImportColumn[]): ImportColumn[] {
  return [...new Set(columns.map((column) => (detailOf(column) === undefined ? column : 'metadata')))];
}

export function isCompared(column: ImportColumn): column is ComparedColumn {
  return (comparedColumns as readonly ImportColumn[]).includes(column);
}

/** Returns the tag types that a file has columns for; tags of other types stay unchanged. */
export function tagTypesIn(columns: readonly ImportColumn[]): TagType[] {
  return columns.flatMap((column) => (column in tagColumns ? [tagColumns[column as keyof typeof tagColumns]] : []));
}
