import type pg from 'pg';
import { StartError } from '../../kernel/start-error.js';
import { connectCell, lockMove, readMoveState } from './cells.js';
import type { Ends } from './copy.js';
import { dropGuards } from './guards.js';
import { readMovedTables } from './tables.js';

export type EndMoveOptions = { readonly orgId: number; readonly sourceUrl: string; readonly targetUrl: string };

const guardTimeoutMs = 60_000;

/** Runs `work` with the locks of a move in both cells, so that no move of the organization is in progress. */
async function underBothLocks(
  { orgId, sourceUrl, targetUrl }: EndMoveOptions,
  work: (ends: Ends) => Promise<void>,
): Promise<void> {
  const source = await connectCell(sourceUrl, 'source');
  try {
    const target = await connectCell(targetUrl, 'target');
    try {
      await lockMove(source, orgId);
      await lockMove(target, orgId);
      await work({ source, target });
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

/**
 * Lets an organization go on in the source whose move was interrupted.
 *
 * @throws StartError if it is active in the target
 */
export async function cancelMove(options: EndMoveOptions): Promise<void> {
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
 * Deletes the rows of an organization that has moved from the source. The accounts of its people stay.
 *
 * @throws StartError if it is not active in the target, or has not left the source
 */
export async function removeMovedOrganization(options: EndMoveOptions): Promise<void> {
  const { orgId } = options;
  await underBothLocks(options, async ({ source, target }) => {
    if ((await readMoveState(source, orgId)) !== 'left' || (await readMoveState(target, orgId)) !== 'staying') {
      throw new StartError(`organization ${orgId} has not moved from the source to the target`);
    }
    const tables = await readMovedTables(source, orgId);
    await source.query('BEGIN');
    // All rows of the organization go, so nothing has to be kept up to date for it.
    await source.query('SET LOCAL session_replication_role = replica');
    for (const { name, rows } of tables.toReversed()) await source.query(`DELETE FROM ${name} WHERE ${rows}`);
    await source.query('COMMIT');
    await removeGuards(source, orgId);
  });
}

async function removeGuards(source: pg.Client, orgId: number): Promise<void> {
  await dropGuards(source, {
    tables: await readMovedTables(source, orgId),
    orgId,
    timeoutMs: guardTimeoutMs,
  });
}
