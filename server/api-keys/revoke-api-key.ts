import { ContractError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import { revokeKey } from './queries.js';
import { revokeApiKeyInput } from './schemas.js';
import { apiKeyView } from './view.js';

/**
 * Revokes a key for good, from the next request on, within a second in other processes. Revoking it again changes
 * nothing and answers the same.
 */
export const revokeApiKey = sessionProcedure('admin')
  .input(revokeApiKeyInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const row = await revokeKey(ctx.services.db, ctx.orgId, id);
    if (!row) throw new ContractError('not_found', 'API key not found');
    ctx.services.identity.forgetApiKey(row.id);
    return apiKeyView(row);
  });
