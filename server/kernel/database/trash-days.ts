import { Prisma } from '../../../generated/prisma/client.js';

/** How long a deleted asset, location, reader or webhook can be restored with everything that belongs to it. */
export const trashDays = 30;

/** Returns the condition that a row was deleted in the last 30 days. */
export function isInTrash(alias: string): Prisma.Sql {
  return Prisma.raw(`${alias}.deleted_at > clock_timestamp() - interval '${trashDays} days'`);
}

/**
 * Returns the condition that a row was deleted more than 30 days ago, so that data which only this row uses can be
 * deleted.
 */
export function isPastTrash(alias: string): Prisma.Sql {
  return Prisma.raw(`${alias}.deleted_at <= clock_timestamp() - interval '${trashDays} days'`);
}
