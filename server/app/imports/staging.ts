import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Prisma } from '../../../generated/prisma/client.js';
import type { BatchAuthor } from '../../people/activity/batches.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { identifyTransaction, type OpenTransaction } from '../../kernel/database/open-transaction.js';
import { sqlTypeOf } from '../../kernel/database/field-sql.js';
import type { Field } from '../../kernel/fields.js';
import { cellFields, type CellName, cellNames, type ImportColumn, type ImportKind } from './columns.js';
import { createRowReader, type FileRow, type Problem, type ReadRow } from './row-reader.js';

/** The input of a step. */
export type Job = {
  orgId: number;
  importId: string;
  kind: ImportKind;
  fileName: string;
  columns: readonly ImportColumn[];
  /** The user who started the step. */
  author: BatchAuthor;
};

/** The connection of a running step to its process. */
export type Watch = {
  /** Throws if the work has to end here. */
  ensureWanted(): void;
  progress(doneRows: number): void;
  /** Receives the transaction of the step, whose statement is canceled when the process stops. */
  worksIn(transaction: OpenTransaction): void;
};

const pageRows = 1000;
/** Rows that are read at once before other work of this process continues. */
const stretchRows = 100;

/**
 * Reads the import's rows into temporary tables of the transaction, and returns the problems of single rows. From here
 * on everything is set-based, regardless of the number of rows.
 */
export async function stageRows(tx: TransactionClient, job: Job, watch: Watch): Promise<Problem[]> {
  watch.worksIn(await identifyTransaction(tx));
  await tx.$executeRaw`
    CREATE TEMP TABLE staged (
      line int PRIMARY KEY,
      is_valid boolean NOT NULL,
      ${list((name) => `${name} ${stagedType(cellFields[name])}`)},
      raw_name text COLLATE "C",
      details json,
      parent_key text COLLATE "C",
      parent_line int,
      parents int NOT NULL DEFAULT 0,
      location_key text COLLATE "C",
      location text COLLATE "C",
      kind text COLLATE "C",
      kind_id int,
      belongs_to text COLLATE "C",
      belongs_to_id int,
      belongs_to_found int NOT NULL DEFAULT 0,
      container_key text COLLATE "C",
      place text COLLATE "C",
      place_id int,
      places int NOT NULL DEFAULT 0,
      id int,
      new_id int,
      parent_id int,
      updated_at timestamptz(3),
      row_changes boolean NOT NULL DEFAULT false,
      tags_change boolean NOT NULL DEFAULT false,
      is_moved boolean NOT NULL DEFAULT false,
      is_repacked boolean NOT NULL DEFAULT false
    ) ON COMMIT DROP`;
  await tx.$executeRaw`
    CREATE TEMP TABLE staged_tags (
      line int NOT NULL,
      ordinal int NOT NULL,
      tag_type text COLLATE "C" NOT NULL,
      value text COLLATE "C" NOT NULL,
      raw text COLLATE "C",
      is_new boolean NOT NULL DEFAULT true
    ) ON COMMIT DROP`;
  const readRow = createRowReader(job.kind, job.columns);
  const problems: Problem[] = [];
  let done = 0;
  for (let line = 0; ; ) {
    watch.ensureWanted();
    const page = await pageAfter(tx, job, line);
    const last = page.at(-1);
    if (!last) break;
    line = last.line;
    const rows: ReadRow[] = [];
    for (let at = 0; at < page.length; at += stretchRows) {
      rows.push(...page.slice(at, at + stretchRows).map(readRow));
      await yieldToEventLoop();
    }
    for (const row of rows) if ('problems' in row) problems.push(...row.problems);
    await storePage(tx, rows);
    done += page.length;
    watch.progress(done);
  }
  await tx.$executeRaw`CREATE INDEX ON staged (external_key)`;
  await tx.$executeRaw`CREATE INDEX ON staged_tags (tag_type, value)`;
  await tx.$executeRaw`CREATE INDEX ON staged_tags (line)`;
  await tx.$executeRaw`ANALYZE staged, staged_tags`;
  return problems;
}

async function pageAfter(tx: TransactionClient, { orgId, importId }: Job, line: number): Promise<FileRow[]> {
  return tx.$queryRaw`
    SELECT line, cells
      FROM import_rows
     WHERE org_id = ${orgId} AND import_id = ${importId}::uuid AND line > ${line}
     ORDER BY line
     LIMIT ${pageRows}`;
}

async function storePage(tx: TransactionClient, rows: readonly ReadRow[]): Promise<void> {
  const flat = rows.map((row) =>
    'values' in row
      ? { line: row.line, is_valid: true, ...row.values, tags: undefined }
      : { line: row.line, is_valid: false, external_key: row.external_key, parent_key: row.parent_key },
  );
  await tx.$executeRaw`
    INSERT INTO staged (line, is_valid, ${list((name) => name)}, raw_name, details, parent_key, location_key, location, kind,
                        belongs_to, container_key, place)
    SELECT line, is_valid, ${list((name) => valueOfGiven(name, cellFields[name]))}, raw_name, details::json, parent_key, location_key,
           location, kind, belongs_to, container_key, place
      FROM json_to_recordset(${JSON.stringify(flat)}::json) AS given (
        line int, is_valid boolean, ${list((name) => `${name} ${givenType(cellFields[name])}`)}, raw_name text, details text,
        parent_key text, location_key text, location text, kind text, belongs_to text, container_key text,
        place text)`;
  const tags = rows.flatMap((row) =>
    ('values' in row ? row.values : row).tags.map((tag, ordinal) => ({ line: row.line, ordinal, ...tag })),
  );
  if (tags.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO staged_tags (line, ordinal, tag_type, value, raw)
    SELECT line, ordinal, tag_type, value, raw
      FROM json_to_recordset(${JSON.stringify(tags)}::json) AS given (line int, ordinal int, tag_type text, value text, raw text)`;
}

/** Returns a list of something about each field of a cell. */
function list(of: (name: CellName) => string): Prisma.Sql {
  return Prisma.raw(cellNames.map(of).join(', '));
}

function stagedType(field: Field): string {
  return field.type === 'text' ? 'text COLLATE "C"' : sqlTypeOf(field);
}

/** Returns the type in the JSON of a page: instants are epoch milliseconds, and objects are text. */
function givenType(field: Field): string {
  if (field.type === 'instant') return 'float8';
  return field.type === 'json' ? 'text' : sqlTypeOf(field);
}

function valueOfGiven(name: string, { type }: Field): string {
  if (type === 'instant') return `to_timestamp(${name} / 1000)`;
  return type === 'json' ? `${name}::json` : name;
}
