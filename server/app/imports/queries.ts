import type { FieldReason } from '../../kernel/field-reasons.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { lockStatement } from '../../kernel/database/locks.js';
import { refusal } from '../../kernel/errors.js';
import type { Paging } from '../../kernel/lists.js';
import type { FileRow } from './row-reader.js';
import { trashDays } from '../../kernel/database/trash-days.js';
import { type ImportFailure, type ImportRow, importRow } from './view.js';

type Queryable = Pick<Database, '$queryRaw' | '$executeRaw'>;

export async function findImport(db: Queryable, orgId: number, importId: string): Promise<ImportRow | undefined> {
  const rows = await db.$queryRaw<ImportRow[]>`
    SELECT ${importRow} FROM imports i WHERE i.org_id = ${orgId} AND i.id = ${importId}::uuid`;
  return rows[0];
}

/** Does the same as `findImport`, and locks the row until the end of the transaction. */
export async function lockImport(
  tx: TransactionClient,
  orgId: number,
  importId: string,
): Promise<(ImportRow & { last_line: number; received_bytes: number }) | undefined> {
  const rows = await tx.$queryRaw<(ImportRow & { last_line: number; received_bytes: number })[]>`
    SELECT ${importRow}, i.last_line, i.received_bytes
      FROM imports i
     WHERE i.org_id = ${orgId} AND i.id = ${importId}::uuid
       FOR NO KEY UPDATE`;
  return rows[0];
}

/** Returns the organization's imports with their count, newest first. */
export async function findImports(
  db: Queryable,
  orgId: number,
  { limit, offset }: Paging,
): Promise<(ImportRow & { total_count: number })[]> {
  return db.$queryRaw`
    SELECT ${importRow}, (SELECT count(*)::float8 FROM imports WHERE org_id = ${orgId}) AS total_count
      FROM imports i
     WHERE i.org_id = ${orgId}
     ORDER BY i.created_at DESC, i.id
     LIMIT ${limit} OFFSET ${offset}`;
}

type NewImport = {
  id: string;
  kind: string;
  fileName: string;
  columns: readonly string[];
  ignoredColumns: readonly string[];
  rowCount: number;
  userId: number;
};

/** Imports that an organization can begin within 24 hours. */
export const importsPerDayMax = 500;

/**
 * @throws ContractError `rate_limited` until the oldest of the imports of the last 24 hours is older; the caller holds
 *   the lock
 */
async function ensureBelowDailyQuota(tx: TransactionClient, orgId: number): Promise<void> {
  const [row] = await tx.$queryRaw<{ seconds: number }[]>`
    SELECT ceil(date_part('epoch', i.created_at + interval '1 day' - clock_timestamp()))::float8 AS seconds
      FROM imports i
     WHERE i.org_id = ${orgId} AND i.created_at > clock_timestamp() - interval '1 day'
     ORDER BY i.created_at DESC
    OFFSET ${importsPerDayMax - 1} LIMIT 1`;
  if (!row) return;
  throw refusal('too_many_imports', { max: importsPerDayMax, seconds: Math.max(1, row.seconds) });
}

/** Files that may wait to be applied; the oldest is canceled for the next one. */
export const waitingImportsMax = 5;

export async function insertImport(db: Database, orgId: number, given: NewImport): Promise<ImportRow> {
  return db.$transaction(async (tx) => {
    await tx.$queryRaw(lockStatement('imports', orgId));
    await ensureBelowDailyQuota(tx, orgId);
    const old = await tx.$queryRaw<{ id: string }[]>`
      UPDATE imports SET status = 'cancelled', finished_at = clock_timestamp()
       WHERE org_id = ${orgId}
         AND id IN (SELECT id FROM imports
                     WHERE org_id = ${orgId} AND status IN ('uploading', 'received', 'checked')
                     ORDER BY created_at DESC OFFSET ${waitingImportsMax - 1})
      RETURNING id::text`;
    for (const { id } of old) await removeContents(tx, orgId, id);
    const rows = await tx.$queryRaw<ImportRow[]>`
      INSERT INTO imports AS i (id, org_id, kind, status, file_name, columns, ignored_columns, row_count, created_by)
      VALUES (${given.id}::uuid, ${orgId}, ${given.kind}, 'uploading', ${given.fileName}, ${given.columns}::text[],
              ${given.ignoredColumns}::text[], ${given.rowCount}, ${given.userId})
      RETURNING ${importRow}`;
    const row = rows[0];
    if (!row) throw new Error('the insert returned no row');
    return row;
  });
}

/** Deletes rows and problems, which are no longer needed once an import has ended. */
export async function removeContents(tx: Queryable, orgId: number, importId: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM import_rows WHERE org_id = ${orgId} AND import_id = ${importId}::uuid`;
  await tx.$executeRaw`DELETE FROM import_problems WHERE org_id = ${orgId} AND import_id = ${importId}::uuid`;
}

/** Stores a chunk's rows and counts them; the caller has locked the import. */
export async function insertRows(
  tx: TransactionClient,
  orgId: number,
  { importId, rows, bytes }: { importId: string; rows: readonly FileRow[]; bytes: number },
): Promise<ImportRow> {
  await tx.$executeRaw`
    INSERT INTO import_rows (org_id, import_id, line, cells)
    SELECT ${orgId}, ${importId}::uuid, given.line, ARRAY(SELECT json_array_elements_text(given.cells))
      FROM json_to_recordset(${JSON.stringify(rows)}::json) AS given (line int, cells json)`;
  const changed = await tx.$queryRaw<ImportRow[]>`
    UPDATE imports i
       SET received_rows = received_rows + ${rows.length},
           received_bytes = received_bytes + ${bytes},
           next_chunk = next_chunk + 1,
           last_line = ${rows.at(-1)?.line ?? 0},
           status = CASE WHEN received_rows + ${rows.length} = row_count THEN 'received' ELSE status END
     WHERE i.org_id = ${orgId} AND i.id = ${importId}::uuid
    RETURNING ${importRow}`;
  const row = changed[0];
  if (!row) throw new Error('the update returned no row');
  return row;
}

export type Lease = { orgId: number; importId: string; token: string };

/** Long compared with a pause of the process, short for a person who waits. */
const leaseSeconds = 15;

const leaseEnd = Prisma.raw(`clock_timestamp() + interval '${leaseSeconds} seconds'`);

/**
 * Returns whether another import of the organization is in progress; the caller holds the organization's lock of
 * imports.
 */
export async function isOtherUnderWay(tx: Queryable, orgId: number, importId: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM imports
     WHERE org_id = ${orgId}
       AND id <> ${importId}::uuid
       AND status IN ('checking', 'applying')
       AND lease_until >= clock_timestamp()
     LIMIT 1`;
  return rows.length > 0;
}

/** Takes the lease of an import under a new token, which revokes the previous worker's lease. */
export async function takeLease(
  tx: Queryable,
  lease: Lease,
  status: 'checking' | 'applying',
): Promise<ImportRow | undefined> {
  const rows = await tx.$queryRaw<ImportRow[]>`
    UPDATE imports i
       SET status = ${status}, done_rows = 0, failure = NULL, lease_token = ${lease.token}::uuid, lease_until = ${leaseEnd}
     WHERE i.org_id = ${lease.orgId} AND i.id = ${lease.importId}::uuid
    RETURNING ${importRow}`;
  return rows[0];
}

/** Renews a lease and stores the progress. Returns false if the lease was lost. */
export async function renewLease(db: Queryable, lease: Lease, doneRows: number): Promise<boolean> {
  const held = await db.$executeRaw`
    UPDATE imports
       SET lease_until = ${leaseEnd}, done_rows = ${doneRows}
     WHERE org_id = ${lease.orgId} AND id = ${lease.importId}::uuid AND lease_token = ${lease.token}::uuid`;
  return held > 0;
}

export type Outcome = {
  status: 'received' | 'checked' | 'applied';
  failure?: ImportFailure;
  summary?: {
    toCreate: number;
    toChange: number;
    unchanged: number;
    problemCount: number;
    problemLines: number;
    warningCount: number;
    noticeCount: number;
  };
};

/** Ends a step. Returns false if the lease was lost, and the step must not take effect. */
export async function endLease(tx: Queryable, lease: Lease, { status, failure, summary }: Outcome): Promise<boolean> {
  const counts = summary
    ? Prisma.sql`, to_create = ${summary.toCreate}, to_change = ${summary.toChange}, unchanged = ${summary.unchanged},
        problem_count = ${summary.problemCount}, problem_lines = ${summary.problemLines},
        warning_count = ${summary.warningCount}, notice_count = ${summary.noticeCount}`
    : Prisma.empty;
  const ended = await tx.$executeRaw`
    UPDATE imports
       SET status = ${status}, failure = ${failure ?? null}, lease_token = NULL, lease_until = NULL,
           finished_at = CASE WHEN ${status} = 'applied' THEN clock_timestamp() END ${counts}
     WHERE org_id = ${lease.orgId} AND id = ${lease.importId}::uuid AND lease_token = ${lease.token}::uuid`;
  return ended > 0;
}

/** Cancels an import that is not applied, and the work on it. */
export async function cancelRow(tx: Queryable, orgId: number, importId: string): Promise<ImportRow | undefined> {
  const rows = await tx.$queryRaw<ImportRow[]>`
    UPDATE imports i
       SET status = 'cancelled', finished_at = clock_timestamp(), lease_token = NULL, lease_until = NULL
     WHERE i.org_id = ${orgId} AND i.id = ${importId}::uuid AND i.status NOT IN ('applied', 'cancelled')
    RETURNING ${importRow}`;
  return rows[0];
}

/** A problem, a warning or a notice, with the name and the value that the row of the file has; null without such a cell. */
export type ProblemRow = {
  place: number;
  line: number;
  column: string;
  message: string;
  reason: FieldReason | null;
  is_warning: boolean;
  is_notice: boolean;
  name: string | null;
  value: string | null;
};

/** The most characters of a cell that are shown beside a problem. */
const shownMax = 100;

/** Returns a page of an import's problems by line, with the count of all matches. */
export async function findProblems(
  db: Queryable,
  orgId: number,
  given: { importId: string; column?: string; limit: number; offset: number },
): Promise<(ProblemRow & { total_count: number })[]> {
  const column = given.column === undefined ? Prisma.empty : Prisma.sql`AND p.column_name = ${given.column}`;
  return db.$queryRaw`
    SELECT p.place, p.line, p.column_name AS column, p.message, p.reason, p.is_warning, p.is_notice,
           left(r.cells[array_position(i.columns, 'name')], ${shownMax}::int) AS name,
           left(r.cells[array_position(i.columns, p.column_name)], ${shownMax}::int) AS value,
           count(*) OVER ()::float8 AS total_count
      FROM import_problems p
      JOIN imports i ON i.org_id = p.org_id AND i.id = p.import_id
      LEFT JOIN import_rows r ON r.import_id = p.import_id AND r.line = p.line
     WHERE p.org_id = ${orgId} AND p.import_id = ${given.importId}::uuid ${column}
     ORDER BY p.place
     LIMIT ${given.limit} OFFSET ${given.offset}`;
}

const keptDays = 7;

/** Deletes imports after a week, with their contents; applied ones, which have none, once they can no longer be undone. */
export async function removeOldImports(db: Database): Promise<void> {
  await db.$executeRaw`
    DELETE FROM imports
     WHERE created_at < clock_timestamp() - make_interval(days => CASE WHEN status = 'applied' THEN ${trashDays}::int + ${keptDays}::int ELSE ${keptDays}::int END)
       AND (lease_until IS NULL OR lease_until < clock_timestamp())`;
}
