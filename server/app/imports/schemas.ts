import { z } from 'zod';
import { pagingFields } from '../../kernel/lists.js';
import { fail, field, issueOf } from '../../kernel/validation/failure.js';
import { integerField, isStorable, textField, wrongType } from '../../kernel/validation/fields.js';
import { integerParameter, textParameter } from '../../kernel/validation/parameters.js';
import { idMax } from '../../kernel/validation/fields.js';
import { uuidField } from '../../kernel/validation/uuid-field.js';
import { detailOf, type ImportColumn, type ImportKind, importColumns, importKinds } from './columns.js';

export const importRowsMax = 100_000;
/** Bytes in UTF-8 of the cells of all rows together. */
export const importBytesMax = 64 * 1_048_576;
const columnsMax = 200;
const detailNameMax = 255;
const chunkRowsMax = 5000;
const problemsPageMax = 1000;

export const importId = { import_id: uuidField };

const kindField = field<ImportKind>(
  (value) => importKinds.find((kind) => kind === value) ?? fail('not_one_of', { allowed: importKinds }),
  { type: 'string', enum: [...importKinds] },
);

const fileNameField = textField({ min: 1, max: 255 }, 'create-string');

export const createImportInput = z
  .strictObject({
    kind: kindField,
    file_name: fileNameField,
    columns: z.array(z.string()).max(columnsMax),
    ignored_columns: z
      .array(textField({ min: 1, max: 255 }, 'create-string'))
      .max(500)
      .default([]),
    row_count: integerField({ min: 1, max: importRowsMax }, 'required'),
  })
  .check((context) => {
    const { kind, columns } = context.value;
    const message = columnsFlaw(kind, columns);
    if (message !== undefined) context.issues.push(issueOf({ code: 'invalid_value', message }, columns, ['columns']));
  });

/** Returns why a file with these columns cannot be imported; undefined if it can. */
function columnsFlaw(kind: ImportKind, columns: readonly string[]): string | undefined {
  const unknown = columns.find(
    (column) => !importColumns[kind].includes(column as ImportColumn) && !isDetail(kind, column),
  );
  if (unknown !== undefined) return `unknown column "${unknown}"`;
  const repeated = columns.find((column, index) => columns.indexOf(column) !== index);
  if (repeated !== undefined) return `column ${repeated} appears twice`;
  return columns.includes('name') ? undefined : 'column name is missing';
}

function isDetail(kind: ImportKind, column: string): column is ImportColumn {
  const name = detailOf(column);
  return kind === 'assets' && name !== undefined && name !== '' && name.length <= detailNameMax && isStorable(name);
}

const cellsField = field<string[]>(
  (value) => {
    if (!Array.isArray(value)) return wrongType('array', value);
    const texts = value as unknown[];
    const isFine = texts.every((cell) => typeof cell === 'string' && isStorable(cell));
    return isFine ? (texts as string[]) : fail('not_storable');
  },
  { type: 'array', items: { type: 'string' } },
);

export const addRowsInput = z.strictObject({
  ...importId,
  chunk: integerField({ min: 0, max: importRowsMax }, 'required'),
  rows: z
    .array(z.strictObject({ line: integerField({ min: 1, max: idMax }, 'required'), cells: cellsField }))
    .min(1)
    .max(chunkRowsMax),
});

export const importIdInput = z.strictObject(importId);

/** `despite_warnings` means that a person has seen the warnings of the check. */
export const applyInput = z.strictObject({ ...importId, despite_warnings: z.boolean().default(false) });

export const listImportsInput = z.strictObject(pagingFields).prefault({});

const changesPageMax = 50;

export const listChangesInput = z.strictObject({
  ...importId,
  limit: integerParameter({ min: 1, max: changesPageMax }).default(20),
  offset: integerParameter({ min: 0, max: idMax }).default(0),
});

export const listProblemsInput = z.strictObject({
  ...importId,
  column: textParameter({ min: 0, max: 50 }).exactOptional(),
  limit: integerParameter({ min: 1, max: problemsPageMax }).default(100),
  offset: integerParameter({ min: 0, max: idMax }).default(0),
});
