import type { ListOf } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { findApiKeys } from './queries.js';
import { listApiKeysInput } from './schemas.js';
import { type ApiKeyView, apiKeyView } from './view.js';

/** Lists the organization's keys, newest first. */
export const listApiKeys = sessionProcedure('admin')
  .input(listApiKeysInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<ApiKeyView>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([
      findApiKeys(db, ctx.orgId, paging),
      db.models(({ apiKey }) => apiKey.count({ where: { orgId: ctx.orgId } })),
    ]);
    return { data: rows.map(apiKeyView), ...paging, total_count: count };
  });
