import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { instant } from '../../kernel/database/columns.js';
import { fieldRefusal } from '../../kernel/errors.js';
import { always, subtreeOf } from '../../things/locations/tree.js';
import { idParameter, timestampParameter } from '../../kernel/validation/parameters.js';

const dayMs = 86_400_000;

/** The longest period of a report, in days. */
export const periodDaysMax = 92;

/** A report covers `from <= t < until`; of a location with its sublocations, or of all locations. */
export const periodFields = {
  from: timestampParameter(),
  until: timestampParameter(),
  location_id: idParameter().exactOptional(),
};

export type Period = { fromMs: number; untilMs: number };

/**
 * Checks the period of a report.
 *
 * @throws ContractError `validation_error` for a period that is empty or longer than 92 days
 */
export function checkedPeriod({ from, until }: { from: number; until: number }): Period {
  if (until <= from) {
    throw fieldRefusal('until', 'not_after_from');
  }
  if (until - from > periodDaysMax * dayMs) {
    throw fieldRefusal('until', 'period_too_long', { days: periodDaysMax });
  }
  return { fromMs: from, untilMs: until };
}

/** Returns the preceding period of the same length. */
export function periodBefore({ fromMs, untilMs }: Period): Period {
  return { fromMs: fromMs - (untilMs - fromMs), untilMs: fromMs };
}

/**
 * Returns the recursive CTE `down`: a location with all its sublocations, deleted ones too, or all locations for
 * null.
 */
export function reportedLocations(orgId: number, locationId: number | null): Prisma.Sql {
  if (locationId === null) return Prisma.sql`down AS (SELECT l.id FROM locations l WHERE l.org_id = ${orgId})`;
  return subtreeOf(orgId, locationId, { belongs: always });
}

/** Returns SQL that is true where a column is within a period. */
export function within(column: string, { fromMs, untilMs }: Period): Prisma.Sql {
  const at = Prisma.raw(column);
  return Prisma.sql`(${at} >= ${instant(fromMs)} AND ${at} < ${instant(untilMs)})`;
}

export const periodInput = z.strictObject(periodFields);
