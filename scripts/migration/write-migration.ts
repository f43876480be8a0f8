import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { compareFunctions, type FunctionDifferences } from './compare-functions.js';
import { FunctionFileError } from './function-files.js';

/** Says what the statements below it lock, as the comment at the top of every migration does. */
const lockComment = `-- Locks: none on tables. The functions below are locked until the migration ends; running calls finish with the old
-- version.
`;

const folderTimestamp = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})_/;

type WriteOptions = {
  /** Of a database with all migrations of the folder. */
  readonly url: string;
  /** Absolute; has `functions/` and `migrations/`. */
  readonly prismaFolder: string;
  /** As `checkMigrationName` demands. */
  readonly name: string;
  readonly nowMs: number;
};

/** @throws FunctionFileError unless the name is lower-case words joined by `_` */
export function checkMigrationName(name: string): void {
  if (!/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name)) {
    throw new FunctionFileError('the name of a migration is lower-case words joined by _, such as fold_more_letters');
  }
}

/** The name of a migration's folder: the present time in UTC, or a second after the latest migration if that is later. */
export function migrationName(name: string, existing: readonly string[], nowMs: number): string {
  const times = existing.flatMap((folder) => {
    const [, year, month, day, hour, minute, second] = (folderTimestamp.exec(folder) ?? []).map(Number);
    if (year === undefined || month === undefined) return [];
    return [Date.UTC(year, month - 1, day, hour, minute, second) + 1000];
  });
  const timestamp = new Date(Math.max(nowMs, ...times)).toISOString().replaceAll(/\D/g, '').slice(0, 14);
  return `${timestamp}_${name}`;
}

/**
 * Writes a migration that makes the functions of the database equal to the files; none if they are equal.
 *
 * @returns the differences, and the path of the new script below the folder unless nothing differs
 * @throws FunctionFileError for a name of another form, and as `compareFunctions` does
 */
export async function writeFunctionMigration({
  url,
  prismaFolder,
  name,
  nowMs,
}: WriteOptions): Promise<FunctionDifferences & { readonly file?: string }> {
  checkMigrationName(name);
  const differences = await compareFunctions({ url, folder: path.join(prismaFolder, 'functions') });
  if (differences.script === '') return differences;
  const folder = path.join(
    'migrations',
    migrationName(name, readdirSync(path.join(prismaFolder, 'migrations')), nowMs),
  );
  mkdirSync(path.join(prismaFolder, folder));
  const file = path.join(folder, 'migration.sql');
  writeFileSync(path.join(prismaFolder, file), `${lockComment}\n${differences.script}`);
  return { ...differences, file };
}
