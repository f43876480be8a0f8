import { z } from 'zod';
import { Prisma } from '../../../generated/prisma/client.js';
import { inNaturalOrder } from '../../kernel/database/columns.js';
import { ContractError, refusal } from '../../kernel/errors.js';
import { pageSizeDefault } from '../../kernel/lists.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { integerParameter, textParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { router, sessionProcedure } from '../../trpc.js';
import type { Role } from '../auth/scopes.js';
import { entryPoints } from './author.js';
import { activityKinds, visibleKinds } from './kinds.js';
import { type Cursor, examinedMax, findEntries, lastExamined } from './list-queries.js';
import { type EntryView, viewEntry } from './view.js';

/** The export uses larger pages than lists do. */
const pageEntriesMax = 1000;

const actorRule = {
  min: 6,
  max: 40,
  pattern: /^(?:user:[1-9][0-9]{0,9}|key:[0-9a-f-]{36})$/,
  words: 'user: or key: and an id',
} as const;
const objectRule = { min: 1, max: 36, pattern: /^[0-9a-f-]+$/, words: 'an id' } as const;
const cursorRule = { min: 3, max: 40, pattern: /^-?[0-9]{1,15}\.[0-9]{1,18}$/, words: 'the cursor of a page' } as const;

const input = z
  .strictObject({
    kind: choiceParameter(activityKinds).exactOptional(),
    /** The id of one object of that kind. */
    object_id: textParameter(objectRule).exactOptional(),
    actor: textParameter(actorRule).exactOptional(),
    entry_point: choiceParameter(entryPoints).exactOptional(),
    from: timestampParameter().exactOptional(),
    to: timestampParameter().exactOptional(),
    /** Whether changes that were made together are one entry, the newest of them. */
    grouped: z.boolean().default(false),
    limit: integerParameter({ min: 1, max: pageEntriesMax }).default(pageSizeDefault),
    /** The `next` of the previous page. */
    cursor: textParameter(cursorRule).exactOptional(),
  })
  .prefault({});

/**
 * A page of changes, newest first. `next` is null on the last page. With a filter that few changes match, a page can
 * have fewer entries than requested, even none, although there are more: at most 20,000 entries are examined for one
 * page.
 */
export type ActivityPage = { data: EntryView[]; next: string | null };

/**
 * Lists who changed what in the organization: assets and locations for all members, imports for managers, everything
 * else for administrators.
 *
 * @throws ContractError `forbidden` for a kind that the role may not see
 */
const listActivity = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: wanted }): Promise<ActivityPage> => {
    const { db } = ctx.services;
    const { limit, cursor, object_id: objectId, actor, entry_point: entryPoint, from: fromMs, to: toMs } = wanted;
    const kinds = kindsOf(ctx.actor.role, wanted);
    const filter = { kinds, objectId, actor, entryPoint, fromMs, toMs, isGrouped: wanted.grouped };
    const window = { filter, limit, before: cursor === undefined ? undefined : readCursor(cursor) };
    const rows = await findEntries(db, ctx.orgId, window);
    const last = rows.length === limit ? rows.at(-1) : undefined;
    const end = last ? { occurredAt: last.occurred_at, id: last.id } : await lastExamined(db, ctx.orgId, window);
    return { data: rows.map(viewEntry), next: end ? writeCursor(end) : null };
  });

function kindsOf(role: Role, { kind, object_id: objectId }: Pick<z.output<typeof input>, 'kind' | 'object_id'>) {
  const visible = visibleKinds(role);
  if (kind === undefined) {
    if (objectId !== undefined) throw new ContractError('bad_request', 'object_id needs a kind');
    return visible;
  }
  if (!visible.includes(kind)) throw refusal('changes_hidden');
  return [kind];
}

function readCursor(text: string): Cursor {
  const [occurredAt, id = ''] = text.split('.');
  return { occurredAt: Number(occurredAt), id };
}

function writeCursor({ occurredAt, id }: Cursor): string {
  return `${occurredAt}.${id}`;
}

const actorsMax = 500;

/** A choice of the author filter: `value` is what `list` accepts as `actor`. */
type ActorChoice = { value: string; name: string; kind: 'user' | 'key' };

/**
 * Lists authors by name, at most 500 people and 500 API keys: for administrators all members and keys of the organization;
 * for managers, who see neither list, only the authors of changes that they can see, among the newest 20,000 changes.
 */
const listActors = sessionProcedure('manager').query(async ({ ctx }): Promise<{ data: ActorChoice[] }> => {
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

/** The activity log. */
export const activityRouter = router({ list: listActivity, actors: listActors });
