import type { Database } from '../../kernel/database/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import { sessionProcedure } from '../../trpc.js';
import { visibleKinds } from './kinds.js';
import { examinedMax } from './list-queries.js';

const actorsMax = 500;

/** A choice of the author filter: `value` is what `list` accepts as `actor`. */
type ActorChoice = { value: string; name: string; kind: 'user' | 'key' };

/**
 * Lists authors by name, at most 500 people and 500 API keys: for administrators all members and keys of the organization;
 * for managers, who see neither list, only the authors of changes that they can see, among the newest 20,000 changes.
 */
export const listActors = sessionProcedure('manager').query(
  async ({ ctx }): Promise<{ data: ActorChoice[] }> => ({
    data: await (ctx.actor.role === 'admin'
      ? findActors(ctx.services.db, ctx.orgId)
      : findAuthors(ctx.services.db, ctx.orgId, visibleKinds(ctx.actor.role))),
  }),
);

async function findAuthors(db: Database, orgId: number, kinds: readonly string[]): Promise<ActorChoice[]> {
  return db.$queryRaw<ActorChoice[]>`
    WITH authors AS (
      SELECT DISTINCT split_part(actor, ':', 1) AS kind, split_part(actor, ':', 2) AS id
        FROM (SELECT kind, actor
                FROM activity_log
               WHERE org_id = ${orgId}
               ORDER BY occurred_at DESC, id DESC
               LIMIT ${examinedMax}) examined
       WHERE kind = ANY(${[...kinds]}::text[])
         AND actor IS NOT NULL
    )
    (SELECT 'user:' || u.id AS value, u.name, 'user' AS kind
       FROM authors a
       JOIN users u ON u.id = a.id::int
      WHERE a.kind = 'user'
      ORDER BY ${inNaturalOrder('u.name')}, u.id
      LIMIT ${actorsMax})
    UNION ALL
    (SELECT 'key:' || k.id, k.name, 'key'
       FROM authors a
       JOIN api_keys k ON k.org_id = ${orgId} AND k.id = a.id::uuid
      WHERE a.kind = 'key'
      ORDER BY ${inNaturalOrder('k.name')}, k.id
      LIMIT ${actorsMax})`;
}

async function findActors(db: Database, orgId: number): Promise<ActorChoice[]> {
  return db.$queryRaw<ActorChoice[]>`
    (SELECT 'user:' || u.id AS value, u.name, 'user' AS kind
       FROM memberships m
       JOIN users u ON u.id = m.user_id
      WHERE m.org_id = ${orgId}
      ORDER BY ${inNaturalOrder('u.name')}, u.id
      LIMIT ${actorsMax})
    UNION ALL
    (SELECT 'key:' || k.id, k.name, 'key'
       FROM api_keys k
      WHERE k.org_id = ${orgId}
      ORDER BY ${inNaturalOrder('k.name')}, k.id
      LIMIT ${actorsMax})`;
}
