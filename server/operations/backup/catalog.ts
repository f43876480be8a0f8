import type { ClientBase } from 'pg';
import type { BackupPartition, BackupTable, MigrationState, SequenceState } from './contents.js';

/** The service's tables, and the tables of the job queue, whose schema the library defines. */
const schemaNames = ['public', 'graphile_worker'];

/** The records of applied migrations, which every database creates for itself. */
const migrationRecords = ['public._prisma_migrations', 'graphile_worker.migrations'];

/** Quotes a name for SQL. */
export function quoteName(...parts: string[]): string {
  return parts.map((part) => `"${part.replaceAll('"', '""')}"`).join('.');
}

export const tableName = ({ schema, name }: { schema: string; name: string }) => `${schema}.${name}`;

/** Returns all tables, each after the tables that its foreign keys refer to. Partitions count as their table. */
export async function readTables(client: ClientBase): Promise<BackupTable[]> {
  const { rows } = await client.query<BackupTable & { references: string[] }>(
    `SELECT n.nspname AS schema, c.relname AS name,
            ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
                   ORDER BY a.attnum) AS columns,
            ARRAY(SELECT DISTINCT fn.nspname || '.' || fc.relname
                    FROM pg_constraint k
                    JOIN pg_class fc ON fc.oid = k.confrelid
                    JOIN pg_namespace fn ON fn.oid = fc.relnamespace
                   WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS references
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ANY ($1) AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND n.nspname || '.' || c.relname <> ALL ($2)
      ORDER BY n.nspname DESC, c.relname`,
    [schemaNames, migrationRecords],
  );
  return inOrderOfReferences(rows).map(({ schema, name, columns }) => ({ schema, name, columns }));
}

function inOrderOfReferences<Row extends BackupTable & { references: string[] }>(rows: readonly Row[]): Row[] {
  const ordered: Row[] = [];
  const done = new Set<string>();
  let rest = [...rows];
  while (rest.length > 0) {
    const ready = rest.filter(({ references }) => references.every((name) => done.has(name)));
    if (ready.length === 0) throw new Error(`foreign keys form a cycle: ${rest.map(tableName).join(', ')}`);
    for (const row of ready) done.add(tableName(row));
    ordered.push(...ready);
    rest = rest.filter((row) => !done.has(tableName(row)));
  }
  return ordered;
}

export async function readPartitions(client: ClientBase): Promise<BackupPartition[]> {
  const { rows } = await client.query<BackupPartition>(
    `SELECT n.nspname AS schema, c.relname AS name, p.relname AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
       JOIN pg_inherits i ON i.inhrelid = c.oid
       JOIN pg_class p ON p.oid = i.inhparent
      WHERE n.nspname = ANY ($1) AND c.relispartition AND c.relkind = 'r'
      ORDER BY c.relname`,
    [schemaNames],
  );
  return rows;
}

/** Returns the present state of all sequences. Read after the rows, so that no row is ahead of it. */
export async function readSequences(client: ClientBase): Promise<SequenceState[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, c.relname AS name
       FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ANY ($1) AND c.relkind = 'S'
      ORDER BY n.nspname, c.relname`,
    [schemaNames],
  );
  const states: SequenceState[] = [];
  for (const { schema, name } of rows) {
    const state = await client.query<{ value: string; is_called: boolean }>(
      `SELECT last_value::text AS value, is_called FROM ${quoteName(schema, name)}`,
    );
    const [row] = state.rows;
    if (row) states.push({ schema, name, value: row.value, isCalled: row.is_called });
  }
  return states;
}

/** Returns the migrations of the database in order; none if it has no schema yet. */
export async function readMigrationStates(client: ClientBase): Promise<MigrationState[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS found`,
  );
  if (!found[0]?.found) return [];
  const { rows } = await client.query<MigrationState>(
    `SELECT migration_name AS name, checksum FROM public._prisma_migrations
      WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
      ORDER BY migration_name`,
  );
  return rows;
}
