import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { StartError } from '../../kernel/start-error.js';
import { checkAccounts, copyAccounts, lockAccounts } from './accounts.js';
import { finishArrival } from './arrival.js';
import { type Cells, checkTarget, type MoveState, readMoveState, underBothLocks } from './cells.js';
import { copyRows, deleteParts, differentParts, digestsOf, type Ends, rowsOf } from './copy.js';
import { createGuards, dropGuards } from './guards.js';
import { ensureSamePartitions } from './same-partitions.js';
import { type MovedTable, readMovedTables } from './tables.js';

/** Every process refuses requests and has closed the connections of readers within this time. */
const noticedWithinMsDefault = 2500;
/** If transactions write to a table for longer than this, the move is given up. */
const guardTimeoutMs = 60_000;
/** Triggers that are left behind refuse nothing, so dropping them is not worth a long wait. */
const dropTimeoutMs = 5000;

export type MoveOptions = Cells & {
  /** Receives a line about each step. */
  readonly report: (line: string) => void;
  /** Called once the organization is active in the target, to direct its clients there. */
  readonly direct: () => Promise<void>;
  /** How long the processes have to notice it before the database refuses changes; less in tests. */
  readonly noticedWithinMs?: number;
};

export type MoveReport = {
  /** Rows of the organization, and accounts that the target did not have. */
  readonly rows: number;
  readonly accounts: number;
  /** How long the organization was unavailable, without the time until its clients are directed to the target. */
  readonly unavailableMs: number;
};

/**
 * Moves an organization with all its rows to another cell while it is in use. At each instant it is active in at most
 * one cell: the transaction in which the source gives it up commits before the transaction that activates it in the
 * target. If the process dies before the first commit, the organization works in the source again at once; after that,
 * a second run completes the move.
 *
 * @returns undefined if an earlier run had completed the move
 * @throws StartError if something prevents the move: the organization then works in the source, unless it had left already
 */
export function moveOrganization(options: MoveOptions): Promise<MoveReport | undefined> {
  return underBothLocks(options, (ends) => moveBetween(ends, options));
}

async function moveBetween(ends: Ends, options: MoveOptions): Promise<MoveReport | undefined> {
  const { source, target } = ends;
  const { orgId } = options;
  const state = await readMoveState(source, orgId);
  if (state === undefined) throw new StartError(`there is no organization ${orgId} in the source`);
  const there = await readMoveState(target, orgId);
  if (there === 'left') {
    throw new StartError(`organization ${orgId} was in the target before: run remove-moved-organization there first`);
  }
  if (there !== undefined && state === 'left') {
    await options.direct();
    return undefined;
  }
  if (there !== undefined) throw new StartError(`the target has an organization ${orgId} already`);
  // An earlier run was killed, and this run holds the lock that makes the organization unavailable.
  if (state === 'leaving') await setMoving(source, orgId, null);
  const tables = await readMovedTables(source, orgId);
  await checkTarget(ends, orgId);
  await checkAccounts(ends, tables);
  await ensureSamePartitions(ends, options.targetUrl);
  try {
    return await copyAndCutOver(ends, { ...options, tables, state });
  } catch (error) {
    await target.query('ROLLBACK').catch(() => {});
    await resume(source, { orgId, tables }).catch(() => {});
    throw error;
  }
}

/** Makes the organization available in the source again, unless it has left. */
async function resume(source: pg.Client, { orgId, tables }: Pick<Step, 'orgId' | 'tables'>): Promise<void> {
  await source.query('ROLLBACK');
  if ((await readMoveState(source, orgId)) === 'left') return;
  await setMoving(source, orgId, null);
  await dropGuards(source, { tables, orgId, timeoutMs: dropTimeoutMs });
}

type Step = MoveOptions & { readonly tables: readonly MovedTable[]; readonly state: MoveState };

async function copyAndCutOver(ends: Ends, step: Step): Promise<MoveReport> {
  const { source, target } = ends;
  const { orgId, tables, report } = step;
  // Before its commit, nothing in the target is visible to anybody, and without a commit nothing remains.
  await target.query('BEGIN');
  await target.query('SET LOCAL session_replication_role = replica');
  if (step.state !== 'left') {
    report('Copying while the organization is in use …');
    await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    for (const table of tables) await copyRows(ends, table);
    await source.query('COMMIT');
  }
  const stoppedAtMs = performance.now();
  if (step.state !== 'left') {
    await stopChanges(source, step);
    report('The organization is unavailable. Copying what has changed …');
  }
  await source.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await lockAccounts(source, tables);
  let rows = 0;
  for (const table of tables) rows += await copyDifferences(ends, table);
  const accounts = await copyAccounts(ends, tables, orgId);
  await finishArrival(target, orgId);
  await source.query(`UPDATE organizations SET moving = 'left' WHERE id = $1`, [orgId]);
  await commitBoth(ends, orgId);
  const unavailableMs = Math.round(performance.now() - stoppedAtMs);
  report('The organization is active in the target.');
  await step.direct();
  await target.query(`ANALYZE ${tables.map(({ name }) => name).join(', ')}`);
  return { rows, accounts, unavailableMs };
}

/** Commits the end in the source, then the beginning in the target: the organization is never active in both. */
async function commitBoth({ source, target }: Ends, orgId: number): Promise<void> {
  try {
    await source.query('COMMIT');
    await target.query('COMMIT');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(
      `the connection was lost while organization ${orgId} was handed over (${reason}). ` +
        'Run the same command again: it completes the move',
      { cause: error },
    );
  }
}

async function setMoving(source: pg.Client, orgId: number, moving: 'leaving' | null): Promise<void> {
  await source.query(`UPDATE organizations SET moving = $2 WHERE id = $1 AND moving IS DISTINCT FROM 'left'`, [
    orgId,
    moving,
  ]);
}

/**
 * Makes the organization unavailable, and returns when none of its rows can change any more. The processes notice this
 * first, so that few requests fail only at the triggers.
 */
async function stopChanges(source: pg.Client, { orgId, tables, noticedWithinMs }: Step): Promise<void> {
  await source.query('BEGIN');
  await setMoving(source, orgId, 'leaving');
  // Ends the connections of its readers.
  await source.query(
    `UPDATE readers
        SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
      WHERE org_id = $1 AND deleted_at IS NULL`,
    [orgId],
  );
  await source.query('COMMIT');
  await delay(noticedWithinMs ?? noticedWithinMsDefault);
  await createGuards(source, { tables, orgId, timeoutMs: guardTimeoutMs });
}

/**
 * Copies the parts of a table that differ, and compares again.
 *
 * @returns how many rows the table has
 */
async function copyDifferences(ends: Ends, table: MovedTable): Promise<number> {
  const { source, target } = ends;
  const [digests, before] = await Promise.all([digestsOf(source, table), digestsOf(target, table)]);
  const parts = differentParts(digests, before);
  if (parts.length > 0) {
    await deleteParts(target, table, parts);
    await copyRows(ends, table, parts);
    const [different] = differentParts(digests, await digestsOf(target, table));
    if (different !== undefined) throw new StartError(`the copy of ${table.name} differs (${different})`);
  }
  return rowsOf(digests);
}
