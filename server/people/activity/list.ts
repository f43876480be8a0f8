import { z } from 'zod';
import type { Role } from '../auth/scopes.js';
import { ContractError, refusal } from '../../kernel/errors.js';
import { pageSizeDefault } from '../../kernel/lists.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { sessionProcedure } from '../../trpc.js';
import { integerParameter, textParameter, timestampParameter } from '../../kernel/validation/parameters.js';
import { entryPoints } from './author.js';
import { activityKinds, visibleKinds } from './kinds.js';
import { type Cursor, findEntries, lastExamined } from './list-queries.js';
import { type EntryView, viewEntry } from './view.js';

/** The export uses larger pages than lists do. */
const pageEntriesMax = 1000;

const actorRule = {
  min: 6,
  max: 40,
  pattern: /^(?:user:[1-9][0-9]{0,9}|key:[0-9a-f-]{36})$/,
  words: 'user: or key: and an id',
};
const objectRule = { min: 1, max: 36, pattern: /^[0-9a-f-]+$/, words: 'an id' };
const cursorRule = { min: 3, max: 40, pattern: /^-?[0-9]{1,15}\.[0-9]{1,18}$/, words: 'the cursor of a page' };

const input = z
  .strictObject({
    kind: choiceParameter(activityKinds).exactOptional(),
    /** The id of one object of that kind. */
    object_id: textParameter(objectRule).exactOptional(),
    actor: textParameter(actorRule).exactOptional(),
    entry_point: choiceParameter(entryPoints).exactOptional(),
    from: timestampParameter().exactOptional(),
    to: timestampParameter().exactOptional(),
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
export const listActivity = sessionProcedure('viewer')
  .input(input)
  .query(async ({ ctx, input: wanted }): Promise<ActivityPage> => {
    const { db } = ctx.services;
    const { limit, cursor, object_id: objectId, actor, entry_point: entryPoint, from: fromMs, to: toMs } = wanted;
    const filter = { kinds: kindsOf(ctx.actor.role, wanted), objectId, actor, entryPoint, fromMs, toMs };
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
