import { sessionProcedure } from '../../trpc.js';
import { type AccuracyRow, checkDays, readAccuracy, sumAccuracy } from './check-queries.js';

const locationsMax = 20;
const confusionsMax = 3;

/** With at least this share of right checks, or with fewer wrong checks than this, there is nothing to do. */
const rightShareMin = 0.95;
const wrongMin = 3;
/**
 * Two locations are confused both ways if the rarer direction has at least this share of the more frequent direction.
 */
const mutualShare = 1 / 3;

/**
 * What would help: an antenna at the location, weaker reception by the antenna of the other location, or one location
 * instead of the two.
 */
export type AccuracyAdvice = 'add_antenna' | 'raise_threshold' | 'combine';

export type LocationAccuracy = {
  location: { id: number; name: string };
  checks: number;
  right: number;
  /** The three locations where assets were shown instead most often; null is no location, or a deleted one. */
  confusions: { location: { id: number; name: string } | null; checks: number }[];
  advice: AccuracyAdvice | null;
};

export type Accuracy = {
  days: number;
  /** At all locations. */
  checks: number;
  right: number;
  /** The 20 locations with the most wrong checks. */
  data: LocationAccuracy[];
};

/**
 * Returns how often an asset that a person found with a handheld, in an audit or for a calibration, was shown there one second
 * before. Counts only assets that a fixed reader has read since they were scanned before.
 */
export const locationAccuracy = sessionProcedure('viewer').query(async ({ ctx }): Promise<Accuracy> => {
  const { db } = ctx.services;
  const [total, rows] = await Promise.all([
    sumAccuracy(db, ctx.orgId),
    readAccuracy(db, ctx.orgId, { locations: locationsMax, confusions: confusionsMax }),
  ]);
  return { days: checkDays, checks: total.checks, right: total.right_checks, data: rows.map(accuracyOf) };
});

function accuracyOf(row: AccuracyRow): LocationAccuracy {
  return {
    location: { id: row.id, name: row.name },
    checks: row.checks,
    right: row.right_checks,
    confusions: row.confusions.map(({ id, name, checks }) => ({
      location: id === null || name === null ? null : { id, name },
      checks,
    })),
    advice: adviceOf(row),
  };
}

function adviceOf({
  checks,
  right_checks: right,
  has_antenna: hasAntenna,
  confusions,
}: AccuracyRow): AccuracyAdvice | null {
  if (checks - right < wrongMin || right >= rightShareMin * checks) return null;
  if (!hasAntenna) return 'add_antenna';
  const most = confusions[0];
  if (!most || most.id === null) return null;
  return most.reverse_checks >= Math.max(1, mutualShare * most.checks) ? 'combine' : 'raise_threshold';
}
