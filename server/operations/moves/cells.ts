import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { lockClasses } from '../../kernel/database/locks.js';
import { StartError } from '../../kernel/start-error.js';
import { readMigrationStates } from '../backup/catalog.js';
import type { Ends } from './copy.js';

/** No time limits, and the same text form of every value on both sides. */
const settings = [
  'SET statement_timeout = 0',
  'SET idle_in_transaction_session_timeout = 0',
  "SET timezone = 'UTC'",
  "SET datestyle = 'ISO'",
  // If this machine fails, the lock of the move is released within half a minute, and the organization works again.
  'SET tcp_keepalives_idle = 5',
  'SET tcp_keepalives_interval = 5',
  'SET tcp_keepalives_count = 4',
];

/** Longer than PostgreSQL takes to notice that the machine of another move has failed. */
const lockTimeoutMs = 30_000;
const lockPauseMs = 100;

/** Connects to the database of a cell. The caller has to call `end`. */
async function connectCell(url: string, name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: 'whereabouts move', keepAlive: true });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the database of the ${name} cannot be reached: ${reason}`, { cause: error });
  }
  await client.query(settings.join('; '));
  await client.query("SET client_connection_check_interval = '5s'").catch(() => {});
  return client;
}

/**
 * Takes the lock of a move until the connection ends. While an organization is `leaving`, this lock is what makes it
 * unavailable. The connection of a process that was killed may need a moment to end.
 *
 * @throws StartError if another process moves the organization
 */
async function lockMove(client: pg.Client, orgId: number): Promise<void> {
  const untilMs = performance.now() + lockTimeoutMs;
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS held', [
      lockClasses.move,
      orgId,
    ]);
    if (rows[0]?.held) return;
    if (performance.now() > untilMs) throw new StartError(`organization ${orgId} is being moved by another process`);
    await delay(lockPauseMs);
  }
}

/** An organization, and the databases of the cell that it leaves and the cell that it moves to. */
export type Cells = { readonly orgId: number; readonly sourceUrl: string; readonly targetUrl: string };

/**
 * Runs `work` with the locks of a move in both cells, so that no other move of the organization is in progress.
 *
 * @throws StartError if a cell cannot be reached, or another process moves the organization
 */
export async function underBothLocks<Result>(
  { orgId, sourceUrl, targetUrl }: Cells,
  work: (ends: Ends) => Promise<Result>,
): Promise<Result> {
  const source = await connectCell(sourceUrl, 'source');
  try {
    const target = await connectCell(targetUrl, 'target');
    try {
      await lockMove(source, orgId);
      await lockMove(target, orgId);
      return await work({ source, target });
    } finally {
      await target.end();
    }
  } finally {
    await source.end();
  }
}

export type MoveState = 'staying' | 'leaving' | 'left';

/** Returns the state of an organization in a cell; undefined if it is not there. */
export async function readMoveState(client: pg.Client, orgId: number): Promise<MoveState | undefined> {
  const { rows } = await client.query<{ moving: 'leaving' | 'left' | null }>(
    'SELECT moving FROM organizations WHERE id = $1',
    [orgId],
  );
  const [row] = rows;
  return row && (row.moving ?? 'staying');
}

/**
 * Checks that the target can take the organization.
 *
 * @throws StartError
 */
export async function checkTarget({ source, target }: Ends, orgId: number): Promise<void> {
  const [here, there] = [await readMigrationStates(source), await readMigrationStates(target)];
  if (JSON.stringify(here) !== JSON.stringify(there)) {
    throw new StartError('the cells have different schemas: run the same release in both first');
  }
  await target.query('BEGIN');
  try {
    await target.query('SET LOCAL session_replication_role = replica');
  } catch (error) {
    throw new StartError(
      'the role of the target database may not load rows without their triggers: let an administrator of the server run ' +
        'GRANT SET ON PARAMETER session_replication_role TO that role',
      { cause: error },
    );
  } finally {
    await target.query('ROLLBACK');
  }
  const [kept, keptThere] = [await retentionDays(source), await retentionDays(target)];
  if (kept !== null && keptThere !== null && keptThere < kept) {
    throw new StartError(`the target keeps events for ${keptThere} days, and the source for ${kept}`);
  }
  const imports = await source.query(
    `SELECT FROM imports WHERE org_id = $1 AND status IN ('checking', 'applying') AND lease_until > now()`,
    [orgId],
  );
  if (imports.rowCount) throw new StartError('an import of the organization is in progress: move it afterwards');
}

/** Returns for how long a cell keeps events; null if no process has run in it yet. */
async function retentionDays(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ days: number | null }>('SELECT max(days)::int AS days FROM event_retention');
  return rows[0]?.days ?? null;
}
