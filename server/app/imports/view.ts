import { Prisma } from '../../../generated/prisma/client.js';
import { isUndoable } from '../../people/activity/batches.js';
import { epochMs } from '../../kernel/database/columns.js';
import { type ContractError, refusal } from '../../kernel/errors.js';
import { formatNullableTimestamp, formatTimestamp } from '../../kernel/time.js';
import type { ImportColumn, ImportKind } from './columns.js';

/**
 * `received` has all rows and waits to be checked, `checked` to be applied. Work that lost its process shows the
 * previous status, with a `failure`.
 */
export type ImportStatus = 'uploading' | 'received' | 'checking' | 'checked' | 'applying' | 'applied' | 'cancelled';

/** Why the last step changed nothing: the reason that refuses the next one too. */
export type ImportFailure = 'import_outdated' | 'import_interrupted' | 'import_failed';

export type ImportRow = {
  id: string;
  kind: ImportKind;
  status: ImportStatus;
  file_name: string;
  columns: ImportColumn[];
  /** The headers of the file's columns that are not imported. */
  ignored_columns: string[];
  row_count: number;
  received_rows: number;
  next_chunk: number;
  done_rows: number;
  to_create: number | null;
  to_change: number | null;
  unchanged: number | null;
  problem_count: number | null;
  problem_lines: number | null;
  warning_count: number | null;
  /** What the file creates and places besides its rows. */
  notice_count: number;
  failure: ImportFailure | null;
  is_abandoned: boolean;
  created_at: number;
  finished_at: number | null;
  undone_at: number | null;
  /** Whether it changed something in the last 30 days, and was not undone. */
  is_undoable: boolean;
};

export type ImportView = Omit<ImportRow, 'is_abandoned' | 'created_at' | 'finished_at' | 'undone_at'> & {
  created_at: string;
  finished_at: string | null;
  undone_at: string | null;
};

const plain = [
  'id::text',
  'kind',
  'status',
  'file_name',
  'columns',
  'ignored_columns',
  'row_count',
  'received_rows',
  'next_chunk',
  'done_rows',
  'to_create',
  'to_change',
  'unchanged',
  'problem_count',
  'problem_lines',
  'warning_count',
  'notice_count',
  'failure',
].map((name) => `i.${name}`);

/** All columns of an `ImportRow` from the alias `i`. */
export const importRow = Prisma.sql`
  ${Prisma.raw(plain.join(', '))},
  (i.status IN ('checking', 'applying') AND i.lease_until < clock_timestamp()) AS is_abandoned,
  ${epochMs('i.created_at')} AS created_at, ${epochMs('i.finished_at')} AS finished_at,
  (SELECT ${epochMs('b.undone_at')} FROM change_batches b WHERE b.org_id = i.org_id AND b.id = i.id) AS undone_at,
  EXISTS (SELECT FROM change_batches b WHERE b.org_id = i.org_id AND b.id = i.id AND ${isUndoable}) AS is_undoable`;

/** The status after a failed step. */
export const statusBefore = { checking: 'received', applying: 'checked' } as const;

export function viewImport(given: ImportRow): ImportView {
  const { is_abandoned: isAbandoned, created_at, finished_at, undone_at, ...row } = given;
  const before = row.status === 'checking' || row.status === 'applying' ? statusBefore[row.status] : row.status;
  return {
    ...row,
    ...(isAbandoned ? { status: before, failure: 'import_interrupted' } : {}),
    created_at: formatTimestamp(created_at),
    finished_at: formatNullableTimestamp(finished_at),
    undone_at: formatNullableTimestamp(undone_at),
  };
}

export function importNotFound(): ContractError {
  return refusal('not_found', { what: 'Import' });
}
