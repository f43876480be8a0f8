import { recordChange } from '../activity/record.js';
import { refusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { endInvitation } from './invitation-queries.js';
import { revokeInvitationInput } from './schemas.js';

/** Revokes a link. One that was used, has expired, or belongs to another organization counts as missing. */
export const revokeInvitation = sessionProcedure('admin')
  .input(revokeInvitationInput)
  .mutation(async ({ ctx, input: { id } }) => {
    await ctx.services.db.$transaction(async (tx) => {
      const ended = await endInvitation(tx, ctx.orgId, id);
      if (!ended) throw refusal('not_found', { what: 'Invitation' });
      const objectName = ended.email ?? 'Anyone with the link';
      await recordChange(tx, ctx, { kind: 'invitation', objectId: id, objectName, action: 'revoked' });
    });
    return { id };
  });
