import type pg from 'pg';
import { StartError } from '../../kernel/start-error.js';
import { type Cells, readMoveState, underBothLocks } from './cells.js';
import { dropGuards } from './guards.js';
import { readMovedTables } from './tables.js';

const guardTimeoutMs = 60_000;

/**
 * Cancels an interrupted move: the organization works in the source again.
 *
 * @throws StartError if it is active in the target
 */
export async function cancelMove(options: Cells): Promise<void> {
  const { orgId } = options;
  await underBothLocks(options, async ({ source, target }) => {
    if ((await readMoveState(target, orgId)) === 'staying') {
      throw new StartError(`organization ${orgId} is active in the target: move it back instead`);
    }
    await source.query('UPDATE organizations SET moving = NULL WHERE id = $1', [orgId]);
    await removeGuards(source, orgId);
  });
}

/**
 * Deletes the rows of a moved organization from the source. The accounts of its people stay.
 *
 * @throws StartError if it is not active in the target, or has not left the source
 */
export async function removeMovedOrganization(options: Cells): Promise<void> {
  const { orgId } = options;
  await underBothLocks(options, async ({ source, target }) => {
    if ((await readMoveState(source, orgId)) !== 'left' || (await readMoveState(target, orgId)) !== 'staying') {
      throw new StartError(`organization ${orgId} has not moved from the source to the target`);
    }
    const tables = await readMovedTables(source, orgId);
    await source.query('BEGIN');
    // All rows of the organization are deleted, so no trigger has to keep anything up to date for it.
    await source.query('SET LOCAL session_replication_role = replica');
    for (const { name, rows } of tables.toReversed()) await source.query(`DELETE FROM ${name} WHERE ${rows}`);
    await source.query('COMMIT');
    await removeGuards(source, orgId);
  });
}

async function removeGuards(source: pg.Client, orgId: number): Promise<void> {
  await dropGuards(source, { tables: await readMovedTables(source, orgId), orgId, timeoutMs: guardTimeoutMs });
}
