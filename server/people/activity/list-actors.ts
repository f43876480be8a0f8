import { Prisma } from '../../../generated/prisma/client.js';
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
export const listActors = sessionProcedure('manager').query(async ({ ctx }): Promise<{ data: ActorChoice[] }> => {
  const { orgId, actor } = ctx;
  const authors = actor.role === 'admin' ? everybody(orgId) : authorsOf(orgId, visibleKinds(actor.role));
  const data = await ctx.services.db.$queryRaw<ActorChoice[]>`
    WITH authors (kind, id) AS (${authors})
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
  return { data };
});

function everybody(orgId: number): Prisma.Sql {
  return Prisma.sql`
    SELECT 'user', user_id::text FROM memberships WHERE org_id = ${orgId}
    UNION ALL
    SELECT 'key', id::text FROM api_keys WHERE org_id = ${orgId}`;
}

function authorsOf(orgId: number, kinds: readonly string[]): Prisma.Sql {
  return Prisma.sql`
    SELECT DISTINCT split_part(actor, ':', 1), split_part(actor, ':', 2)
      FROM (SELECT kind, actor
              FROM activity_log
             WHERE org_id = ${orgId}
             ORDER BY occurred_at DESC, id DESC
             LIMIT ${examinedMax}) examined
     WHERE kind = ANY(${[...kinds]}::text[])
       AND actor IS NOT NULL`;
}
