import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** One file of `prisma/functions/`: a comment, then one `CREATE OR REPLACE FUNCTION` of the function it is named after. */
export type FunctionFile = {
  readonly name: string;
  readonly script: string;
};

/** A file of `prisma/functions/` that cannot be used as it is. The message is all there is to print. */
export class FunctionFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FunctionFileError';
  }
}

/** PostgreSQL's own words, with the detail where it has one: for a failed `DROP`, what depends on the function. */
export function reasonOf(error: unknown): string {
  if (error instanceof pg.DatabaseError && error.detail !== undefined) return `${error.message}: ${error.detail}`;
  return error instanceof Error ? error.message : String(error);
}

/** Runs statements as one step of an open transaction: an error undoes this step and keeps the transaction usable. */
export async function attempt(client: pg.ClientBase, script: string): Promise<unknown> {
  await client.query('SAVEPOINT step');
  try {
    const result: unknown = await client.query(script);
    await client.query('RELEASE SAVEPOINT step');
    return result;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT step');
    throw error;
  }
}

/**
 * Reads all files of a folder in the order of their names, with line ends as in Git.
 *
 * @throws FunctionFileError if a script does not say `CREATE OR REPLACE FUNCTION`
 */
export function readFunctionFiles(folder: string): FunctionFile[] {
  const files = readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => ({
      name: path.basename(file, '.sql'),
      script: `${readFileSync(path.join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()}\n`,
    }));
  for (const { name, script } of files) {
    if (!/^CREATE OR REPLACE FUNCTION /m.test(script)) {
      throw new FunctionFileError(`${name}.sql has no CREATE OR REPLACE FUNCTION`);
    }
  }
  return files;
}

async function functionNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT proname AS name FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
  );
  return rows.map(({ name }) => name);
}

async function create(client: pg.ClientBase, { name, script }: FunctionFile): Promise<void> {
  const before = await functionNames(client);
  const result = await attempt(client, script);
  const created = await functionNames(client);
  for (const earlier of before) created.splice(created.indexOf(earlier), 1);
  if (Array.isArray(result) || created.length !== 1 || created[0] !== name) {
    throw new FunctionFileError(`${name}.sql must be one statement that creates the function ${name}`);
  }
}

/**
 * Creates the functions of all files in a transaction from which functions of these names are absent. A function whose
 * body PostgreSQL checks is created after the functions that it calls.
 *
 * @returns the files in the order in which they could be created
 * @throws FunctionFileError if a file cannot be created in any order, or is not exactly its function
 */
export async function createFromFiles(client: pg.ClientBase, files: readonly FunctionFile[]): Promise<FunctionFile[]> {
  const ordered: FunctionFile[] = [];
  let pending = [...files];
  while (pending.length > 0) {
    const failed: { file: FunctionFile; error: unknown }[] = [];
    for (const file of pending) {
      try {
        await create(client, file);
        ordered.push(file);
      } catch (error) {
        if (error instanceof FunctionFileError) throw error;
        failed.push({ file, error });
      }
    }
    const [first] = failed;
    if (first && failed.length === pending.length) {
      const { file, error } = first;
      throw new FunctionFileError(`${file.name}.sql cannot be created: ${reasonOf(error)}`, { cause: error });
    }
    pending = failed.map(({ file }) => file);
  }
  return ordered;
}
