import { ContractError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import { endInvitation } from './invitation-queries.js';
import { revokeInvitationInput } from './schemas.js';

/** Takes a link back. One that was used, is over, or is another organisation's is none. */
export const revokeInvitation = sessionProcedure('admin')
  .input(revokeInvitationInput)
  .mutation(async ({ ctx, input: { id } }) => {
    const wasOpen = await endInvitation(ctx.services.db, ctx.orgId, id);
    if (!wasOpen) throw new ContractError('not_found', 'Invitation not found');
    return { id };
  });
