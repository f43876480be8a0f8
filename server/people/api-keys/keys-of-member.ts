import { sessionProcedure } from '../../trpc.js';
import { findFormerCreators, findKeysOf, revokeKeysOf } from './queries.js';
import { keysOfInput } from './schemas.js';
import { apiKeyView } from './view.js';

/** Lists the active keys that a member, or a former member, created, newest first. */
export const listKeysOfMember = sessionProcedure('admin')
  .input(keysOfInput)
  .query(async ({ ctx, input: { user_id: userId } }) => {
    const rows = await findKeysOf(ctx.services.db, ctx.orgId, userId);
    return { data: rows.map(apiKeyView) };
  });

/** Lists people who are no longer members, and whose keys are still active, by name. */
export const listFormerCreators = sessionProcedure('admin').query(async ({ ctx }) => ({
  data: await findFormerCreators(ctx.services.db, ctx.orgId),
}));

/**
 * Revokes all active keys that a member, or a former member, created: all or none, from the next request on, within a second
 * in other processes. Returns how many there were.
 */
export const revokeKeysOfMember = sessionProcedure('admin')
  .input(keysOfInput)
  .mutation(async ({ ctx, input: { user_id: userId } }) => {
    const { db, identity } = ctx.services;
    const ids = await db.$transaction((tx) => revokeKeysOf(tx, ctx, userId));
    for (const id of ids) identity.forgetApiKey(id);
    return { revoked: ids.length };
  });
