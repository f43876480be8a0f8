import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { quoteName, readTables } from '../backup/catalog.js';
import { StartError } from '../start-error.js';
import type { Ends } from './copy.js';
import { accountTables, type MovedTable } from './tables.js';

/** Returns SQL for the ids of the people that rows of the organization refer to. */
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
 * Checks that nobody of the organization is somebody else in the target: an account is recognized by its id and its email
 * address together. One that was only created with the same address could belong to anybody.
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

/** The columns that identify a row. */
const keysOf: Readonly<Record<(typeof accountTables)[number], readonly string[]>> = {
  users: ['id'],
  sign_on_identities: ['issuer', 'subject', 'user_id'],
};

/** Copies the accounts that the target lacks, and returns how many. */
export async function copyAccounts({ source, target }: Ends, tables: readonly MovedTable[]): Promise<number> {
  const people = await peopleOf(source, tables);
  const described = await readTables(source);
  let users = 0;
  for (const name of accountTables) {
    const columns = described.find((table) => table.schema === 'public' && table.name === name)?.columns ?? [];
    const quoted = columns.map((column) => quoteName(column)).join(', ');
    const rows = `${name === 'users' ? 'id' : 'user_id'} IN (${people})`;
    const from = source.query(copyTo(`COPY (SELECT ${quoted} FROM ${name} WHERE ${rows}) TO STDOUT`));
    await target.query(`CREATE TEMP TABLE arriving_${name} (LIKE ${name}) ON COMMIT DROP`);
    await pipeline(from, target.query(copyFrom(`COPY arriving_${name} (${quoted}) FROM STDIN`)));
    const isSame = keysOf[name].map((key) => `u.${key} = a.${key}`).join(' AND ');
    const { rowCount } = await target.query(
      `INSERT INTO ${name} (${quoted})
       SELECT ${quoted} FROM arriving_${name} a WHERE NOT EXISTS (SELECT FROM ${name} u WHERE ${isSame})`,
    );
    if (name === 'users') users = rowCount ?? 0;
  }
  return users;
}
