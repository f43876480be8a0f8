import { createAssetInput } from '../../things/assets/schemas.js';
import { type FieldFault, type FieldReason, fieldFault } from '../../kernel/field-reasons.js';
import { isNestedTooDeep } from '../../kernel/json-levels.js';
import { createLocationInput } from '../../things/locations/schemas.js';
import { type TagRequest, tagRequest } from '../../things/tags/schemas.js';
import { fieldErrorsOf } from '../../kernel/validation/input-failure.js';
import { keyRule, metadataText, nameRule } from '../../kernel/validation/resource-fields.js';
import { checkText, textProblem } from '../../kernel/validation/fields.js';
import { booleanOf } from './boolean-words.js';
import { invisibleIn, isExponent, trimmed } from './cell-text.js';
import {
  cellFields,
  type CellName,
  cellNames,
  type CellValue,
  type ComparedColumn,
  containerColumn,
  detailOf,
  type ImportColumn,
  type ImportKind,
  isCell,
  isCompared,
  tagColumns,
} from './columns.js';
import { splitTagCell } from './tag-cell.js';

/** A row of the file. */
export type FileRow = { line: number; cells: readonly string[] };

/**
 * A problem of a row, in the words of the API; the column is empty if it concerns the whole row, and a problem of a single field
 * has a reason. A warning does not stop the import: a person decides. A notice describes what the import does besides, as
 * intended.
 */
export type Problem = {
  line: number;
  column: ImportColumn | '';
  message: string;
  reason?: FieldReason;
  isWarning?: true;
  isNotice?: true;
};

/** What is wrong with a cell; `{f}` in the message stands for its column. */
type Flaw = Pick<FieldFault, 'message'> & { reason?: FieldReason };

/** A tag of a row; `raw` is its value with the blanks and invisible characters at its ends, null if it has none. */
export type RowTag = TagRequest & { raw: string | null };

/** The values of a valid row; missing ones are null. */
export type RowValues = { [Name in CellName]: CellValue<Name> | null } & {
  name: string;
  /** The name with the invisible characters at its ends; null if it has none. It counts only if exactly that is stored. */
  raw_name: string | null;
  /** The custom details that have columns of their own, as a JSON object; an empty cell leaves a detail as it is. */
  details: string | null;
  /** The key, the name or the path of the parent. */
  parent_key: string | null;
  /** The location of an asset in the file, which is only compared. */
  location_key: string | null;
  location: string | null;
  /** The name of the asset's kind. */
  kind: string | null;
  /** The location that the asset belongs to: its key, path or name. */
  belongs_to: string | null;
  /** The key of the container that the asset is in. */
  container_key: string | null;
  /** Where the asset is to be placed: the key, the path or the name of a location. */
  place: string | null;
  tags: RowTag[];
};

export type ReadRow =
  | { line: number; values: RowValues }
  /**
   * The key, the parent's key and the tags are kept if they are valid: other rows may refer to them, and their
   * conflicts with other rows are reported together with the rest.
   */
  | {
      line: number;
      external_key: string | null;
      parent_key: string | null;
      tags: RowTag[];
      problems: Problem[];
    };

/**
 * Creates a function that reads rows of a file by the same rules as the API's create. It does not check other rows or
 * the database.
 */
export function createRowReader(kind: ImportKind, columns: readonly ImportColumn[]): (row: FileRow) => ReadRow {
  const schema = kind === 'assets' ? createAssetInput : createLocationInput;

  return ({ line, cells }) => {
    const problems: Problem[] = [];
    const input: Record<string, unknown> = {};
    const tags: RowTag[] = [];
    const compared: Partial<Record<ComparedColumn, string>> = {};
    const details: [name: string, value: string][] = [];
    let rawName: string | null = null;
    const references: References = { place: null, parent_key: null, belongs_to: null, container_key: null, kind: null };
    const report = (column: ImportColumn, { message, reason }: Flaw) =>
      problems.push({ line, column, message: message.replace('{f}', column), ...(reason && { reason }) });
    columns.forEach((column, index) => {
      const cell = cells[index] ?? '';
      if (isCompared(column)) {
        compared[column] = trimmed(cell);
        return;
      }
      if (isReference(column)) {
        const read = readReference(column, cell);
        if (isRejection(read)) report(column, read[rejected]);
        else references[referenceColumns[column]] = read;
        return;
      }
      const detail = detailOf(column);
      if (detail !== undefined) {
        if (trimmed(cell) !== '') details.push([detail, trimmed(cell)]);
        return;
      }
      if (column === 'name') rawName = trimmed(cell) === cell ? null : cell;
      const value = column in tagColumns ? readTags(column as keyof typeof tagColumns, cell) : readCell(column, cell);
      if (isRejection(value)) report(column, value[rejected]);
      else if (Array.isArray(value)) tags.push(...(value as RowTag[]));
      else if (value !== undefined) input[column] = value;
    });
    const reported = new Set(problems.map(({ column }) => column as string));
    const result = schema.safeParse(input);
    if (!result.success) {
      for (const error of fieldErrorsOf(result.error.issues).fields) {
        if (!reported.has(error.field)) report(error.field as ImportColumn, error);
      }
    }
    if (!result.success || problems.length > 0) {
      return {
        line,
        external_key: keyIn(input['external_key']),
        parent_key: references.parent_key,
        tags,
        problems,
      };
    }
    const read = result.data;
    return {
      line,
      values: {
        ...cellValues(read),
        raw_name: rawName,
        details: details.length === 0 ? null : JSON.stringify(Object.fromEntries(details)),
        location_key: compared.location_external_key ?? null,
        location: compared.location ?? null,
        ...references,
        tags,
      },
    };
  };
}

function cellValues(read: Partial<Record<CellName, unknown>>): RowValues {
  const values: Partial<Record<CellName, unknown>> = {};
  for (const name of cellNames) {
    const value = read[name] ?? null;
    const isObject = cellFields[name].type === 'json' && value !== null;
    values[name] = isObject ? metadataText(value as Record<string, unknown>) : value;
  }
  return values as RowValues;
}

/** Returns a value that can be a key; null otherwise. */
function keyIn(value: unknown): string | null {
  return typeof value === 'string' && typeof checkText(value, keyRule) === 'string' ? value : null;
}

const rejected = Symbol('rejected');

/** Why a cell cannot be parsed; no JSON in a cell can look like it. */
type Rejection = { [rejected]: Flaw };

function rejection(message: string, reason?: FieldReason): Rejection {
  return { [rejected]: { message, ...(reason && { reason }) } };
}

function isRejection(value: unknown): value is Rejection {
  return typeof value === 'object' && value !== null && rejected in value;
}

/**
 * Returns the value of a cell, as in JSON; undefined if an empty cell leaves it to the default or to what is stored.
 * Ignores white space and invisible characters around it, except in descriptions.
 */
function readCell(column: ImportColumn, text: string): unknown {
  const cell = column === 'description' ? text : trimmed(text);
  if (column === 'name' && cell === '') return text.trim();
  const field = isCell(column) ? cellFields[column] : undefined;
  if (cell === '') return field?.type === 'json' ? {} : field?.nullable ? null : undefined;
  if (column === 'external_key') return readKey(column, cell);
  if (field?.type === 'boolean') return readBoolean(column, cell);
  return field?.type === 'json' ? readJson(column, cell) : cell;
}

/** The columns that name other rows, with the values that they set. */
const referenceColumns = {
  place_at: 'place',
  place_at_or_create: 'place',
  parent_external_key: 'parent_key',
  belongs_to_external_key: 'belongs_to',
  [containerColumn]: 'container_key',
  kind: 'kind',
} as const satisfies Partial<Record<ImportColumn, keyof RowValues>>;

type ReferenceColumn = keyof typeof referenceColumns;

type References = Record<(typeof referenceColumns)[ReferenceColumn], string | null>;

function isReference(column: ImportColumn): column is ReferenceColumn {
  return Object.hasOwn(referenceColumns, column);
}

/** The length of a location's name, or of a path of several. */
const placeMax = 255;

/** Reads a cell that names another row; null if it is empty. */
function readReference(column: ReferenceColumn, text: string): string | null | Rejection {
  const cell = trimmed(text);
  if (cell === '') return null;
  if (column === 'kind') {
    const flaw = textProblem(cell, nameRule);
    return flaw === undefined ? cell : { [rejected]: flaw };
  }
  const read = column === 'parent_external_key' || column === containerColumn ? readKey(column, cell) : cell;
  if (isRejection(read) || read.length <= placeMax) return read;
  return { [rejected]: fieldFault('text_too_long', { max: placeMax }) };
}

/** Reads a key. What a spreadsheet or an invisible character made of it is named, as nobody sees the reason. */
function readKey(
  column: 'external_key' | 'parent_external_key' | typeof containerColumn,
  cell: string,
): string | Rejection {
  if (isExponent(cell)) return rejection(`${column} "${cell}" is a number in exponent notation`);
  const character = invisibleIn(cell);
  return character === undefined ? cell : rejection(`${column} contains the invisible character ${character}`);
}

function readBoolean(column: ImportColumn, cell: string): boolean | Rejection {
  return booleanOf(cell) ?? rejection(`${column} must be 'true' or 'false'`);
}

function readJson(column: ImportColumn, cell: string): unknown {
  if (isNestedTooDeep(cell)) return { [rejected]: fieldFault('nested_too_deeply') };
  try {
    const value: unknown = JSON.parse(cell);
    return Array.isArray(value) ? rejection(`${column} must be object; received array`) : value;
  } catch {
    return rejection(`${column} must be a JSON object, such as {"color":"red"}`);
  }
}

function readTags(column: keyof typeof tagColumns, cell: string): RowTag[] | Rejection {
  const tags: RowTag[] = [];
  for (const raw of splitTagCell(cell)) {
    const value = trimmed(raw) === '' ? raw : trimmed(raw);
    const result = tagRequest.safeParse({ tag_type: tagColumns[column], value });
    if (!result.success) {
      const [first] = fieldErrorsOf(result.error.issues).fields;
      return rejection(`a tag of ${column}: ${first?.message ?? 'invalid'}`, first?.reason);
    }
    tags.push({ ...result.data, raw: raw === value ? null : raw });
  }
  return tags;
}
