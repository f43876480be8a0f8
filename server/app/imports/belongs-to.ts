import { Prisma } from '../../../generated/prisma/client.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { notOneLocation } from './match-locations.js';
import type { Problem } from './row-reader.js';
import type { Job } from './staging.js';

export const belongsToTexts = { text: 'belongs_to', id: 'belongs_to_id', found: 'belongs_to_found' };

/** Returns the location as an export shows it: null if it is deleted. */
export function ownLocation(orgId: number, belongsToId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(
    SELECT l.id FROM locations l WHERE l.org_id = ${orgId} AND l.id = ${belongsToId} AND l.deleted_at IS NULL)`;
}

/** Returns the rows whose assets belong to a location that cannot be found, or to one of several with that name. */
export async function unknownOwnLocations(tx: TransactionClient, { columns }: Job): Promise<Problem[]> {
  const column = 'belongs_to_external_key';
  if (!columns.includes(column)) return [];
  const rows = await tx.$queryRaw<{ line: number; text: string; found: number }[]>`
    SELECT s.line, s.belongs_to AS text, s.belongs_to_found AS found FROM staged s
     WHERE s.is_valid AND s.belongs_to IS NOT NULL AND s.belongs_to_found <> 1
     ORDER BY s.line`;
  return rows.map(({ line, text, found }) => ({ line, column, message: notOneLocation(column, text, found) }));
}
