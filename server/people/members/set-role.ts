import { recordChange } from '../activity/record.js';
import { sessionProcedure } from '../../trpc.js';
import { endInvitationsBy } from './invitation-queries.js';
import { lockMembers, requireAdministrators } from './queries.js';
import { setRoleInput } from './schemas.js';

/**
 * Gives a member another role, from the next request on. The last administrator cannot be changed (409); links of
 * somebody who is no longer an administrator are revoked.
 */
export const setRole = sessionProcedure('admin')
  .input(setRoleInput)
  .mutation(async ({ ctx, input: { user_id: userId, role } }) => {
    const { db, identity } = ctx.services;
    const { orgId } = ctx;
    await db.$transaction(async (tx) => {
      const member = await lockMembers(tx, { orgId, actorId: ctx.actor.userId, userId });
      await tx.$executeRaw`UPDATE memberships SET role = ${role} WHERE org_id = ${orgId}::int AND user_id = ${userId}::int`;
      await requireAdministrators(tx, orgId);
      if (role !== 'admin') await endInvitationsBy(tx, orgId, userId);
      if (role !== member.role) {
        const states = { before: { role: member.role }, after: { role } };
        await recordChange(tx, ctx, {
          kind: 'member',
          objectId: userId,
          objectName: member.name,
          action: 'updated',
          ...states,
        });
      }
    });
    identity.forgetSessions();
    return { user_id: userId, role };
  });
