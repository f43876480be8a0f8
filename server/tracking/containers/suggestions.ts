import type { Queries } from '../../kernel/database/client.js';
import { epochMs, inNaturalOrder } from '../../kernel/database/columns.js';
import type { ContainerName } from '../../kernel/database/containers.js';
import { formatTimestamp, type Stored } from '../../kernel/time.js';
import { assetNotFound } from '../../things/assets/procedure.js';
import { sessionProcedure } from '../../trpc.js';
import { nameOfContainer } from './change-queries.js';
import { containerInput } from './schemas.js';

/** How far back moves are compared, and how many of the last moves of the container at most. */
const comparedDays = 30;
const movesMax = 200;
/** An asset is suggested after this many moves with the container. */
const movesMin = 5;
const suggestedMax = 100;
const namedLocationsMax = 5;

/** An asset that moved with another one, each time since it first did so. */
export type Suggestion = {
  asset: ContainerName;
  /** How often they came to the same location within a minute. */
  times: number;
  first_at: string;
  last_at: string;
  /** The names of some of these locations. */
  locations: string[];
};

type SuggestionRow = Stored<Suggestion, 'first_at' | 'last_at'>;

/**
 * Returns the assets that always moved with a container in the last 30 days, and are not in it. A person starts it, and decides what
 * is put in: a mutation, so that nothing repeats it.
 */
export const suggestContents = sessionProcedure('manager')
  .input(containerInput)
  .mutation(async ({ ctx, input: { container_id: containerId } }): Promise<{ data: Suggestion[] }> => {
    const { db } = ctx.services;
    if (!(await nameOfContainer(db, ctx.orgId, containerId))) throw assetNotFound();
    const rows = await findSuggestions(db, ctx.orgId, containerId);
    return {
      data: rows.map(({ asset, times, first_at: firstMs, last_at: lastMs, locations }) => ({
        asset,
        times,
        first_at: formatTimestamp(firstMs),
        last_at: formatTimestamp(lastMs),
        locations,
      })),
    };
  });

/**
 * Finds assets whose arrivals and those of the container agree. Arrivals with a container do not count: the asset was in it. Neither
 * may have come anywhere without the other since they first came together.
 */
export async function findSuggestions(db: Queries, orgId: number, containerId: number): Promise<SuggestionRow[]> {
  return db.$queryRaw<SuggestionRow[]>`
    WITH own AS MATERIALIZED (
      SELECT v.arrived_at, v.location_id
        FROM visits v
       WHERE v.org_id = ${orgId} AND v.asset_id = ${containerId} AND v.location_id IS NOT NULL
         AND v.arrived_at >= now() - make_interval(days => ${comparedDays}::int)
       ORDER BY v.arrived_at DESC
       LIMIT ${movesMax}::int
    ), together AS MATERIALIZED (
      SELECT DISTINCT n.asset_id, o.arrived_at, o.location_id
        FROM own o
       CROSS JOIN LATERAL (
         SELECT v.asset_id
           FROM visits v
          WHERE v.org_id = ${orgId} AND v.location_id = o.location_id AND v.asset_id <> ${containerId}
            AND v.arrived_at BETWEEN o.arrived_at - interval '1 minute' AND o.arrived_at + interval '1 minute'
            AND NOT EXISTS (SELECT FROM asset_placements w
                             WHERE w.org_id = v.org_id AND w.asset_id = v.asset_id AND w.placed_at = v.arrived_at
                               AND w.container_id IS NOT NULL)
         OFFSET 0
       ) n
    ), candidate AS MATERIALIZED (
      SELECT t.asset_id, count(*)::int AS times, min(t.arrived_at) AS first_at, max(t.arrived_at) AS last_at,
             array_agg(DISTINCT t.location_id) AS location_ids
        FROM together t
       GROUP BY t.asset_id
      HAVING count(*) >= ${movesMin}::int
    )
    SELECT json_build_object('id', a.id, 'name', a.name, 'external_key', a.external_key) AS asset, c.times,
           ${epochMs('c.first_at')} AS first_at, ${epochMs('c.last_at')} AS last_at,
           ARRAY(SELECT l.name FROM locations l
                  WHERE l.org_id = ${orgId} AND l.id = ANY(c.location_ids)
                  ORDER BY ${inNaturalOrder('l.name')}
                  LIMIT ${namedLocationsMax}::int) AS locations
      FROM candidate c
      JOIN assets a ON a.org_id = ${orgId} AND a.id = c.asset_id AND a.deleted_at IS NULL
     WHERE c.times = (SELECT count(*) FROM own o WHERE o.arrived_at >= c.first_at)
       AND NOT EXISTS (
         SELECT FROM visits v
          WHERE v.org_id = ${orgId} AND v.asset_id = c.asset_id AND v.location_id IS NOT NULL
            AND v.arrived_at > c.first_at + interval '1 minute'
            AND NOT EXISTS (SELECT FROM own o
                             WHERE o.location_id = v.location_id
                               AND o.arrived_at BETWEEN v.arrived_at - interval '1 minute' AND v.arrived_at + interval '1 minute'))
       AND NOT EXISTS (SELECT FROM asset_containments k
                        WHERE k.org_id = ${orgId} AND k.until IS NULL
                          AND (k.asset_id = c.asset_id AND k.container_id = ${containerId}
                               OR k.asset_id = ${containerId} AND k.container_id = c.asset_id))
     ORDER BY c.times DESC, ${inNaturalOrder('a.name')}, a.id
     LIMIT ${suggestedMax}::int`;
}
