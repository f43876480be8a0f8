import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { quoteName, readTables } from '../backup/catalog.js';
import { StartError } from '../../kernel/start-error.js';
import type { Ends } from './copy.js';
import type { accountTables, MovedTable } from './tables.js';

/** Returns SQL for the ids of the people to whom rows of the organization refer. */
async function peopleOf(source: pg.Client, tables: readonly MovedTable[]): Promise<string> {
  const { rows } = await source.query<{ name: string; column: string }>(
    `SELECT c.relname AS name, a.attname::text AS column
       FROM pg_constraint k
       JOIN pg_class c ON c.oid = k.conrelid
       JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
      WHERE k.contype = 'f' AND k.confrelid = 'public.users'::regclass AND c.relname = ANY ($1)`,
    [tables.map(({ name }) => name)],
  );
  return rows
    .map(({ name, column }) => {
      const table = tables.find((each) => each.name === name);
      return `SELECT ${quoteName(column)} FROM ${name} WHERE ${table?.rows} AND ${quoteName(column)} IS NOT NULL`;
    })
    .join(' UNION ');
}

/**
 * Checks that no account of the organization belongs to somebody else in the target. An account is recognized by its id
 * together with its email address, since an account that only has the same address could belong to anybody.
 *
 * @throws StartError naming the addresses
 */
export async function checkAccounts({ source, target }: Ends, tables: readonly MovedTable[]): Promise<void> {
  const { rows: people } = await source.query<{ id: number; email: string }>(
    `SELECT id, email FROM users WHERE id IN (${await peopleOf(source, tables)})`,
  );
  const { rows: others } = await target.query<{ email: string }>(
    `SELECT p.email
       FROM unnest($1::int[], $2::text[]) AS p (id, email)
      WHERE EXISTS (SELECT FROM users u WHERE u.id = p.id AND u.email <> p.email)
         OR EXISTS (SELECT FROM users u WHERE u.email = p.email AND u.id <> p.id)
      ORDER BY p.email`,
    [people.map(({ id }) => id), people.map(({ email }) => email)],
  );
  if (others.length === 0) return;
  const addresses = others.map(({ email }) => email).join(', ');
  throw new StartError(
    `the target has other accounts for these people: ${addresses}. ` +
      'Remove them there or from the organization, and give each cell its own CELL_NUMBER',
  );
}

/** Locks the accounts of the organization against changes until the end of the transaction. */
export async function lockAccounts(source: pg.Client, tables: readonly MovedTable[]): Promise<void> {
  await source.query(`SELECT id FROM users WHERE id IN (${await peopleOf(source, tables)}) ORDER BY id FOR SHARE`);
}

/** Copies the rows of a table of accounts into a temporary table of the target, and returns its columns. */
async function stage(
  { source, target }: Ends,
  { name, people }: { name: (typeof accountTables)[number]; people: string },
): Promise<string[]> {
  const described = await readTables(source);
  const columns = described.find((table) => table.schema === 'public' && table.name === name)?.columns ?? [];
  const quoted = columns.map((column) => quoteName(column));
  const rows = `${name === 'users' ? 'id' : 'user_id'} IN (${people})`;
  const from = source.query(copyTo(`COPY (SELECT ${quoted.join(', ')} FROM ${name} WHERE ${rows}) TO STDOUT`));
  await target.query(`CREATE TEMP TABLE arriving_${name} (LIKE ${name}) ON COMMIT DROP`);
  await pipeline(from, target.query(copyFrom(`COPY arriving_${name} (${quoted.join(', ')}) FROM STDIN`)));
  return quoted;
}

/**
 * Copies the accounts that the target lacks, and replaces older accounts there with the newer accounts of the source,
 * each together with all its identities. If the two passwords of an account differ, sessions that were opened with the
 * older account end.
 *
 * @returns how many accounts the target did not have
 */
export async function copyAccounts(ends: Ends, tables: readonly MovedTable[], orgId: number): Promise<number> {
  const { source, target } = ends;
  const people = await peopleOf(source, tables);
  const userColumns = await stage(ends, { name: 'users', people });
  const identityColumns = await stage(ends, { name: 'sign_on_identities', people });
  const differing = `
    SELECT u.id
      FROM users u
      JOIN arriving_users a ON a.id = u.id
     WHERE u.password_hash IS DISTINCT FROM a.password_hash`;
  // From here on, changes of these accounts wait, so that all statements see the same version.
  await target.query(
    'SELECT u.id FROM users u WHERE u.id IN (SELECT id FROM arriving_users) ORDER BY u.id FOR NO KEY UPDATE',
  );
  await target.query(
    `UPDATE sessions
        SET revoked_at = date_trunc('milliseconds', clock_timestamp())
      WHERE revoked_at IS NULL
        AND ((org_id <> $1 AND user_id IN (${differing} AND u.changed_at < a.changed_at))
          OR (org_id = $1 AND user_id IN (${differing} AND u.changed_at > a.changed_at)))`,
    [orgId],
  );
  const { rows: taken } = await target.query<{ id: number; is_new: boolean }>(
    `INSERT INTO users (${userColumns.join(', ')})
     SELECT ${userColumns.join(', ')} FROM arriving_users
     ON CONFLICT (id) DO UPDATE
        SET ${userColumns.map((column) => `${column} = EXCLUDED.${column}`).join(', ')}
      WHERE users.changed_at < EXCLUDED.changed_at
     RETURNING id, xmax = 0 AS is_new`,
  );
  const ids = taken.map(({ id }) => id);
  await target.query('DELETE FROM sign_on_identities WHERE user_id = ANY ($1)', [ids]);
  await target.query(
    `INSERT INTO sign_on_identities (${identityColumns.join(', ')})
     SELECT ${identityColumns.join(', ')} FROM arriving_sign_on_identities WHERE user_id = ANY ($1)`,
    [ids],
  );
  return taken.filter(({ is_new: isNew }) => isNew).length;
}
