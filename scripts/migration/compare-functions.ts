import pg from 'pg';
import { attempt, createFromFiles, type FunctionFile, readFunctionFiles, reasonOf } from './function-files.js';

/** The SQLSTATE of `CREATE OR REPLACE` if only `DROP` and `CREATE` can change a function. */
const invalidFunctionDefinition = '42P13';

export type FunctionDifferences = {
  /** Signatures of functions that the database lacks, or has in another version, in the order of their creation. */
  readonly changed: readonly string[];
  /** Signatures of functions of the database that no file defines. */
  readonly dropped: readonly string[];
  /** The statements that make the database equal to the files; empty if it is. */
  readonly script: string;
  /**
   * Why statements of the script fail in the present database, one reason a line: mostly what else must be dropped
   * first.
   */
  readonly obstacles: readonly string[];
};

type CompareOptions = {
  /** The URL of a migrated database, which is not changed. Its functions are locked during the comparison. */
  readonly url: string;
  /** The folder of the files, `prisma/functions/`. */
  readonly folder: string;
};

/** Returns the functions of the schema `public` by signature, without the functions of extensions. */
async function readDefinitions(client: pg.ClientBase): Promise<Map<string, string>> {
  const { rows } = await client.query<{ signature: string; definition: string }>(
    `SELECT p.oid::regprocedure::text AS signature, pg_get_functiondef(p.oid) AS definition
       FROM pg_proc p
      WHERE p.pronamespace = 'public'::regnamespace
        AND p.prokind = 'f'
        AND NOT EXISTS (
          SELECT FROM pg_depend d
           WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
      ORDER BY 1`,
  );
  return new Map(rows.map(({ signature, definition }) => [signature, definition]));
}

/**
 * Returns the definitions of the files, in a transaction that is rolled back. The functions of the database are moved
 * to another schema first, so every file is created from nothing, with the same qualified name as the original.
 */
async function readFileDefinitions(client: pg.ClientBase, files: readonly FunctionFile[], own: Iterable<string>) {
  await client.query('SAVEPOINT originals');
  await client.query('CREATE SCHEMA originals');
  for (const signature of own) await client.query(`ALTER FUNCTION ${signature} SET SCHEMA originals`);
  const ordered = await createFromFiles(client, files);
  const definitions = await readDefinitions(client);
  await client.query('ROLLBACK TO SAVEPOINT originals');
  return { ordered, definitions };
}

/** Runs each statement to check it, and returns those that fail, with the reason. */
async function writeScript(
  client: pg.ClientBase,
  changed: readonly { signature: string; file: FunctionFile }[],
  dropped: readonly string[],
) {
  const statements: string[] = [];
  const obstacles: string[] = [];
  async function add(statement: string): Promise<void> {
    statements.push(statement);
    try {
      await attempt(client, statement);
    } catch (error) {
      obstacles.push(reasonOf(error));
    }
  }
  for (const { signature, file } of changed) {
    try {
      await attempt(client, file.script);
      statements.push(file.script);
    } catch (error) {
      const mustBeDropped = error instanceof pg.DatabaseError && error.code === invalidFunctionDefinition;
      if (mustBeDropped) await add(`DROP FUNCTION ${signature};\n`);
      await add(file.script);
    }
  }
  for (const signature of dropped) await add(`DROP FUNCTION ${signature};\n`);
  return { script: statements.join('\n'), obstacles };
}

/**
 * Compares the functions of a migrated database with their files, as PostgreSQL itself prints both. Comments above a
 * function do not count; comments within its body do.
 *
 * @throws FunctionFileError if a file cannot be created, or creates anything but its function
 */
export async function compareFunctions({ url, folder }: CompareOptions): Promise<FunctionDifferences> {
  const files = readFunctionFiles(folder);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('BEGIN');
    const current = await readDefinitions(client);
    const { ordered, definitions } = await readFileDefinitions(client, files, current.keys());
    const changed = ordered.flatMap((file) =>
      Array.from(definitions)
        .filter(([signature]) => signature.startsWith(`${file.name}(`))
        .filter(([signature, definition]) => current.get(signature) !== definition)
        .map(([signature]) => ({ signature, file })),
    );
    const dropped = Array.from(current.keys()).filter((signature) => !definitions.has(signature));
    const { script, obstacles } = await writeScript(client, changed, dropped);
    return { changed: changed.map(({ signature }) => signature), dropped, script, obstacles };
  } finally {
    await client.end();
  }
}
