import { setTimeout as delay } from 'node:timers/promises';
import type { ClientBase } from 'pg';
import { errorCode, StartError } from '../../kernel/start-error.js';
import type { MovedTable } from './tables.js';

/**
 * How long the creation of a trigger waits for transactions that write to its table. Other statements queue behind it
 * meanwhile.
 */
const lockTimeoutMs = 300;
const pauseMs = 200;

const triggerName = (orgId: number, event: string) => `moving_${orgId}_${event}`;

function conditionOf({ name }: MovedTable, orgId: number, rows: readonly ('NEW' | 'OLD')[]): string {
  // Its trigger looks the session up.
  if (name === 'refresh_tokens') return '';
  const column = name === 'organizations' ? 'id' : 'org_id';
  return `WHEN (${rows.map((row) => `${row}.${column} = ${orgId}`).join(' OR ')})`;
}

function guardsOf(table: MovedTable, orgId: number): string[] {
  const { name, guardedUpdate } = table;
  if (guardedUpdate === undefined) return [];
  const events = [
    ['insert', 'INSERT', ['NEW']],
    // A session can change to another organization.
    ['update', guardedUpdate, ['OLD', 'NEW']],
    ['delete', 'DELETE', ['OLD']],
  ] as const;
  return events
    .filter(([event]) => event !== 'delete' || name !== 'refresh_tokens')
    .map(
      ([event, on, rows]) => `
        CREATE OR REPLACE TRIGGER ${triggerName(orgId, event)} AFTER ${on} ON ${name}
          FOR EACH ROW ${conditionOf(table, orgId, rows)} EXECUTE FUNCTION refuse_while_moving(${orgId})`,
    );
}

type Guards = { tables: readonly MovedTable[]; orgId: number; timeoutMs: number };

/**
 * Makes the database refuse changes of an organization's rows. Each table is locked briefly, after all transactions
 * that have written to it, so a later read of the table sees everything that was accepted.
 *
 * Locks: SHARE ROW EXCLUSIVE, on one table at a time, for milliseconds.
 *
 * @throws StartError if a table is written by one transaction for longer than `timeoutMs`
 */
export async function createGuards(client: ClientBase, { tables, orgId, timeoutMs }: Guards): Promise<void> {
  const untilMs = performance.now() + timeoutMs;
  for (const table of tables) await underLock(client, { table, untilMs, statements: guardsOf(table, orgId) });
}

/**
 * Drops the triggers of `createGuards`.
 *
 * Locks: ACCESS EXCLUSIVE, on one table at a time, for milliseconds.
 *
 * @throws StartError if a table is used by one transaction for longer than `timeoutMs`
 */
export async function dropGuards(client: ClientBase, { tables, orgId, timeoutMs }: Guards): Promise<void> {
  const untilMs = performance.now() + timeoutMs;
  for (const table of tables) {
    if (table.guardedUpdate === undefined) continue;
    const statements = ['insert', 'update', 'delete'].map(
      (event) => `DROP TRIGGER IF EXISTS ${triggerName(orgId, event)} ON ${table.name}`,
    );
    await underLock(client, { table, untilMs, statements });
  }
}

type Locked = { table: MovedTable; untilMs: number; statements: readonly string[] };

async function underLock(client: ClientBase, { table, untilMs, statements }: Locked): Promise<void> {
  if (statements.length === 0) return;
  for (;;) {
    try {
      await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}; ${statements.join('; ')}; COMMIT`);
      return;
    } catch (error) {
      await client.query('ROLLBACK');
      if (errorCode(error) !== '55P03') throw error;
      if (performance.now() > untilMs) {
        throw new StartError(`${table.name} is in use by another transaction, such as an import: try again later`);
      }
    }
    await delay(pauseMs);
  }
}
