import type { Queries } from '../../kernel/database/client.js';

/** Days for which checks are shown and kept. */
export const checkDays = 30;

/** About how many pairs of locations are counted for an organization on one day; further pairs are not counted. */
const pairsPerDayMax = 1000;

/**
 * How many of the assets that a person found at a location had been shown at `shownLocationId` one second before, which
 * can be the same location.
 */
export type CountedChecks = { shownLocationId: number; checks: number };

/**
 * Adds the assets that people found at a location to the counts of the present day. Rows are locked in the order of
 * their keys, so that two handhelds do not deadlock.
 */
export async function addChecks(
  tx: Queries,
  orgId: number,
  { locationId, counted }: { locationId: number; counted: readonly CountedChecks[] },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO location_checks AS c (org_id, day, location_id, shown_location_id, checks)
    SELECT ${orgId}::int, today.day, ${locationId}::int, g.shown_location_id, g.checks
      FROM (SELECT (statement_timestamp() AT TIME ZONE 'UTC')::date AS day) today,
           unnest(
             ${counted.map(({ shownLocationId }) => shownLocationId)}::int[],
             ${counted.map(({ checks }) => checks)}::int[]
           ) AS g (shown_location_id, checks)
     WHERE (SELECT count(*) FROM location_checks k WHERE k.org_id = ${orgId} AND k.day = today.day) < ${pairsPerDayMax}::int
        OR EXISTS (SELECT 1
                     FROM location_checks k
                    WHERE k.org_id = ${orgId} AND k.day = today.day AND k.location_id = ${locationId}
                      AND k.shown_location_id = g.shown_location_id)
     ORDER BY g.shown_location_id
    ON CONFLICT (org_id, day, location_id, shown_location_id) DO UPDATE
       SET checks = c.checks + EXCLUDED.checks`;
}

/** Deletes counts after thirty days. */
export async function removeOldChecks(db: Queries): Promise<void> {
  await db.$executeRaw`
    DELETE FROM location_checks
     WHERE day <= (statement_timestamp() AT TIME ZONE 'UTC')::date - ${checkDays}::int`;
}

/** A location where people found assets. */
export type AccuracyRow = {
  id: number;
  name: string;
  checks: number;
  right_checks: number;
  /** Whether a reader or an antenna is set up there. */
  has_antenna: boolean;
  /** Where assets were shown instead, the most frequent location first; null for no location, or a deleted one. */
  confusions: {
    id: number | null;
    name: string | null;
    checks: number;
    /** How often the two were confused the other way around. */
    reverse_checks: number;
  }[];
};

/**
 * Returns the locations where people most often found assets that were shown elsewhere, and the number of such
 * locations.
 */
export async function readAccuracy(
  db: Queries,
  orgId: number,
  { locations, confusions }: { locations: number; confusions: number },
): Promise<AccuracyRow[]> {
  return db.$queryRaw<AccuracyRow[]>`
    WITH counted AS MATERIALIZED (
      SELECT c.location_id, s.id AS shown_id, s.name AS shown_name, sum(c.checks)::int AS checks
        FROM location_checks c
        LEFT JOIN locations s ON s.org_id = ${orgId} AND s.id = c.shown_location_id AND s.deleted_at IS NULL
       WHERE c.org_id = ${orgId} AND c.day > (statement_timestamp() AT TIME ZONE 'UTC')::date - ${checkDays}::int
       GROUP BY c.location_id, s.id, s.name
    )
    SELECT l.id, l.name, g.checks, g.right_checks,
           EXISTS (SELECT 1
                     FROM readers r
                    WHERE r.org_id = ${orgId} AND r.deleted_at IS NULL
                      AND (r.location_id = l.id
                           OR EXISTS (SELECT 1
                                        FROM reader_antennas a
                                       WHERE a.org_id = ${orgId} AND a.reader_id = r.id AND a.location_id = l.id))
                  ) AS has_antenna,
           (SELECT coalesce(json_agg(w ORDER BY w.checks DESC, w.id), '[]')
              FROM (SELECT c.shown_id AS id, c.shown_name AS name, c.checks,
                           (SELECT coalesce(sum(b.checks), 0)::int
                              FROM counted b
                             WHERE b.location_id = c.shown_id AND b.shown_id = l.id) AS reverse_checks
                      FROM counted c
                     WHERE c.location_id = l.id AND c.shown_id IS DISTINCT FROM l.id
                     ORDER BY c.checks DESC, c.shown_id
                     LIMIT ${confusions}::int) w) AS confusions
      FROM (SELECT c.location_id, sum(c.checks)::int AS checks,
                   coalesce(sum(c.checks) FILTER (WHERE c.shown_id = c.location_id), 0)::int AS right_checks
              FROM counted c
             GROUP BY c.location_id) g
      JOIN locations l ON l.org_id = ${orgId} AND l.id = g.location_id AND l.deleted_at IS NULL
     ORDER BY g.checks - g.right_checks DESC, g.checks DESC, l.id
     LIMIT ${locations}::int`;
}

/** Returns how often people found assets at all live locations, and how often these assets were shown there. */
export async function sumAccuracy(db: Queries, orgId: number): Promise<{ checks: number; right_checks: number }> {
  const rows = await db.$queryRaw<[{ checks: number; right_checks: number }]>`
    SELECT coalesce(sum(c.checks), 0)::int AS checks,
           coalesce(sum(c.checks) FILTER (WHERE c.shown_location_id = c.location_id), 0)::int AS right_checks
      FROM location_checks c
      JOIN locations l ON l.org_id = ${orgId} AND l.id = c.location_id AND l.deleted_at IS NULL
     WHERE c.org_id = ${orgId} AND c.day > (statement_timestamp() AT TIME ZONE 'UTC')::date - ${checkDays}::int`;
  return rows[0];
}
