import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { StartError } from '../../kernel/start-error.js';
import type { MovedTable } from './tables.js';

/** The two ends of a move. */
export type Ends = { readonly source: pg.Client; readonly target: pg.Client };

/** Rows and a checksum of each part of a table. */
export type PartDigests = ReadonlyMap<string, string>;

/**
 * Copies the rows of an organization, or of some parts of a table.
 *
 * @throws StartError if the target does not take them
 */
export async function copyRows(
  { source, target }: Ends,
  { name, quotedColumns, rows, part }: MovedTable,
  parts?: readonly string[],
): Promise<void> {
  const condition = parts ? `${rows} AND ${inParts(part, parts)}` : rows;
  const from = source.query(copyTo(`COPY (SELECT ${quotedColumns} FROM ${name} WHERE ${condition}) TO STDOUT`));
  const into = target.query(copyFrom(`COPY ${name} (${quotedColumns}) FROM STDIN`));
  try {
    await pipeline(from, into);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the target does not take the rows of ${name}: ${reason}`, { cause: error });
  }
}

/** Deletes parts of a table. */
export async function deleteParts(
  client: pg.Client,
  { name, rows, part }: MovedTable,
  parts: readonly string[],
): Promise<void> {
  await client.query(`DELETE FROM ${name} WHERE ${rows} AND ${inParts(part, parts)}`);
}

function inParts(part: string, parts: readonly string[]): string {
  return `${part} IN (${parts.map((value) => pg.escapeLiteral(value)).join(', ')})`;
}

/** Returns the digest of each part of a table, of all columns. It does not depend on the order of the rows. */
export async function digestsOf(
  client: pg.Client,
  { name, quotedColumns, rows, part }: MovedTable,
): Promise<PartDigests> {
  const { rows: found } = await client.query<{ part: string; digest: string }>(
    `SELECT ${part} AS part,
            concat(count(*), ' ', sum(hashtextextended(ROW(${quotedColumns})::text, 0)::numeric)) AS digest
       FROM ${name}
      WHERE ${rows}
      GROUP BY 1`,
  );
  return new Map(found.map((row) => [row.part, row.digest]));
}

/** Returns the parts that are missing, additional or different on one side. */
export function differentParts(source: PartDigests, target: PartDigests): string[] {
  const parts = new Set([...source.keys(), ...target.keys()]);
  return [...parts].filter((part) => source.get(part) !== target.get(part));
}

/** Returns the number of rows that digests are about. */
export function rowsOf(digests: PartDigests): number {
  return [...digests.values()].reduce((sum, digest) => sum + Number(digest.split(' ')[0]), 0);
}
