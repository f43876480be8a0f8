import type { Database } from '../database/client.js';
import { sessionProcedure } from '../trpc.js';

const actorsMax = 500;

/** A choice of the author filter: `value` is what `list` accepts as `actor`. */
type ActorChoice = { value: string; name: string; kind: 'user' | 'key' };

/** Lists the members and the API keys of the organization by name, at most 500 of each. */
export const listActors = sessionProcedure('manager').query(
  async ({ ctx }): Promise<{ data: ActorChoice[] }> => ({ data: await findActors(ctx.services.db, ctx.orgId) }),
);

async function findActors(db: Database, orgId: number): Promise<ActorChoice[]> {
  return db.$queryRaw<ActorChoice[]>`
    (SELECT 'user:' || u.id AS value, u.name, 'user' AS kind
       FROM memberships m
       JOIN users u ON u.id = m.user_id
      WHERE m.org_id = ${orgId}
      ORDER BY u.name, u.id
      LIMIT ${actorsMax})
    UNION ALL
    (SELECT 'key:' || k.id, k.name, 'key'
       FROM api_keys k
      WHERE k.org_id = ${orgId}
      ORDER BY k.name, k.id
      LIMIT ${actorsMax})`;
}
