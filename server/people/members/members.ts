import { type ListOf, pagingInput } from '../../kernel/lists.js';
import { sessionProcedure } from '../../trpc.js';
import { recordChange } from '../activity/record.js';
import { revokeKeysOf } from '../api-keys/queries.js';
import { endInvitationsBy } from './invitation-queries.js';
import { endMembership } from './end-membership.js';
import { findMembers, lockMembers, type MemberRow, requireAdministrators } from './queries.js';
import { removeMemberInput, setRoleInput } from './schemas.js';

/** Lists the organization's members, by name. */
export const listMembers = sessionProcedure('admin')
  .input(pagingInput)
  .query(async ({ ctx, input: paging }): Promise<ListOf<MemberRow>> => {
    const { db } = ctx.services;
    const [rows, count] = await Promise.all([
      findMembers(db, ctx.orgId, paging),
      db.models(({ membership }) => membership.count({ where: { orgId: ctx.orgId } })),
    ]);
    return { data: rows, ...paging, total_count: count };
  });

/**
 * Gives a member another role, from the next request on. The last administrator cannot be changed (409). If the member
 * is no longer an administrator, their invitation links are revoked.
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
        const change = { kind: 'member', objectId: userId, objectName: member.name, action: 'updated' } as const;
        await recordChange(tx, ctx, { ...change, before: { role: member.role }, after: { role } });
      }
    });
    identity.forgetSessions();
    return { user_id: userId, role };
  });

/**
 * Removes a person from the organization and ends their sessions in it. Invitations that they made become invalid. API
 * keys that they created belong to the organization and stay active, unless `revoke_api_keys` asks to revoke them in
 * the same transaction. A verified email domain does not add the person again. The last administrator cannot be removed
 * (409).
 */
export const removeMember = sessionProcedure('admin')
  .input(removeMemberInput)
  .mutation(async ({ ctx, input: { user_id: userId, revoke_api_keys: revokesKeys = false } }) => {
    const { db, identity } = ctx.services;
    const { orgId } = ctx;
    const revoked = await db.$transaction(async (tx) => {
      const { name, email, role } = await lockMembers(tx, { orgId, actorId: ctx.actor.userId, userId });
      await endMembership(tx, ctx, { user_id: userId, name, email, role });
      await requireAdministrators(tx, orgId);
      return revokesKeys ? revokeKeysOf(tx, ctx, userId) : [];
    });
    identity.forgetSessions();
    for (const id of revoked) identity.forgetApiKey(id);
    return { user_id: userId, revoked_api_keys: revoked.length };
  });
