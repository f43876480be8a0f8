import { Prisma } from '../../../generated/prisma/client.js';
import { instant } from '../../kernel/database/columns.js';
import { fieldRefusal } from '../../kernel/errors.js';
import { subtreeOf } from '../../things/locations/tree.js';

const dayMs = 86_400_000;

/**
 * Returns the instant of a query; the present if the given instant is in the future.
 *
 * @throws ContractError `validation_error` for an instant before the retention of visits
 */
export function keptInstant(
  atMs: number,
  { field, nowMs, retentionDays }: { field: string; nowMs: number; retentionDays: number },
): number {
  if (atMs < nowMs - retentionDays * dayMs) {
    throw fieldRefusal(field, 'too_long_ago', { days: retentionDays });
  }
  return Math.min(atMs, nowMs);
}

/** Returns SQL that is true for a row `alias` that was not deleted at an instant, even if it was deleted later. */
export function existedAt(alias: string, atMs: number): Prisma.Sql {
  const deletedAt = Prisma.raw(`${alias}.deleted_at`);
  return Prisma.sql`(${deletedAt} IS NULL OR ${deletedAt} > ${instant(atMs)})`;
}

/**
 * Returns the recursive CTE `down`: a location that existed at an instant, alone or with all its sublocations, or every
 * location if the location is null. Moves of locations are not recorded, so it is the present tree.
 */
export function locationsAt(
  orgId: number,
  locationId: number | null,
  { atMs, below = true }: { atMs: number; below?: boolean },
): Prisma.Sql {
  if (locationId === null) {
    return Prisma.sql`down AS (SELECT l.id FROM locations l WHERE l.org_id = ${orgId} AND ${existedAt('l', atMs)})`;
  }
  return subtreeOf(orgId, locationId, { belongs: (alias) => existedAt(alias, atMs), below });
}
