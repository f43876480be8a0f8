import { recordChange } from '../activity/record.js';
import { currentInstant } from '../database/columns.js';
import { sessionProcedure } from '../trpc.js';
import { endInvitationsBy } from './invitation-queries.js';
import { lockMembers, requireAdministrators } from './queries.js';
import { removeMemberInput } from './schemas.js';

/**
 * Takes a person out of the organisation and ends their sessions in it; keys they made belong to the organisation and
 * stay, links they made let nobody in any more. The last administrator cannot be removed (409).
 */
export const removeMember = sessionProcedure('admin')
  .input(removeMemberInput)
  .mutation(async ({ ctx, input: { user_id: userId } }) => {
    const { db, identity } = ctx.services;
    const { orgId } = ctx;
    await db.$transaction(async (tx) => {
      const { name, email, role } = await lockMembers(tx, { orgId, actorId: ctx.actor.userId, userId });
      await tx.membership.delete({ where: { orgId_userId: { orgId, userId } } });
      await requireAdministrators(tx, orgId);
      await endInvitationsBy(tx, orgId, userId);
      const before = { name, email, role };
      await recordChange(tx, ctx, { kind: 'member', objectId: userId, objectName: name, action: 'deleted', before });
      await tx.$executeRaw`
        UPDATE sessions
           SET revoked_at = ${currentInstant}
         WHERE user_id = ${userId}::int
           AND org_id = ${orgId}::int
           AND revoked_at IS NULL`;
    });
    identity.forgetSessions();
    return { user_id: userId };
  });
