import { recordChange } from '../activity/record.js';
import { refusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { lockApiKey, revokeKey } from './queries.js';
import { revokeApiKeyInput } from './schemas.js';
import { apiKeyView } from './view.js';

/**
 * Revokes a key permanently, from the next request on, within a second in other processes. Revoking it again changes
 * nothing and returns the same.
 */
export const revokeApiKey = sessionProcedure('admin')
  .input(revokeApiKeyInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const row = await ctx.services.db.$transaction(async (tx) => {
      const current = await lockApiKey(tx, ctx.orgId, id);
      if (!current || current.revoked_at !== null) return current;
      const change = { kind: 'api_key', objectId: current.id, objectName: current.name, action: 'revoked' } as const;
      await recordChange(tx, ctx, change);
      return revokeKey(tx, ctx.orgId, id);
    });
    if (!row) throw refusal('not_found', { what: 'API key' });
    ctx.services.identity.forgetApiKey(row.id);
    return apiKeyView(row);
  });
