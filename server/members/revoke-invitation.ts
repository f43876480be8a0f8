import { recordChange } from '../activity/record.js';
import { ContractError } from '../errors.js';
import { sessionProcedure } from '../trpc.js';
import { endInvitation } from './invitation-queries.js';
import { revokeInvitationInput } from './schemas.js';

/** Takes a link back. One that was used, is over, or is another organization's is none. */
export const revokeInvitation = sessionProcedure('admin')
  .input(revokeInvitationInput)
  .mutation(async ({ ctx, input: { id } }) => {
    await ctx.services.db.$transaction(async (tx) => {
      const ended = await endInvitation(tx, ctx.orgId, id);
      if (!ended) throw new ContractError('not_found', 'Invitation not found');
      const objectName = ended.email ?? 'Anyone with the link';
      await recordChange(tx, ctx, { kind: 'invitation', objectId: id, objectName, action: 'revoked' });
    });
    return { id };
  });
