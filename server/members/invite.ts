import { recordChange } from '../activity/record.js';
import { randomToken } from '../auth/random-token.js';
import { ensureBelowQuota } from '../database/quota.js';
import { formatTimestamp } from '../time.js';
import { sessionProcedure } from '../trpc.js';
import { insertInvitation, invitationQuota, type InvitationRow } from './invitation-queries.js';
import { lockMembers } from './queries.js';
import { inviteInput } from './schemas.js';

export type InvitationView = Omit<InvitationRow, 'created_at' | 'expires_at'> & {
  created_at: string;
  expires_at: string;
};

export function invitationView(row: InvitationRow): InvitationView {
  return { ...row, created_at: formatTimestamp(row.created_at), expires_at: formatTimestamp(row.expires_at) };
}

/**
 * Makes a link that lets one person in, within 7 days. It is in this answer and nowhere else. Its token stands behind the
 * `#`, which browsers send to nobody, so that no proxy and no log sees it.
 */
export const invite = sessionProcedure('admin')
  .input(inviteInput)
  .mutation(async ({ ctx, input: { role, email = null } }) => {
    const { orgId } = ctx;
    const { userId } = ctx.actor;
    const token = randomToken();
    const row = await ctx.services.db.$transaction(async (tx) => {
      await lockMembers(tx, { orgId, actorId: userId });
      await ensureBelowQuota(tx, orgId, invitationQuota);
      const made = await insertInvitation(tx, orgId, { token, role, email, invitedBy: userId });
      const after = { role, email };
      const objectName = email ?? 'Anyone with the link';
      await recordChange(tx, ctx, { kind: 'invitation', objectId: made.id, objectName, action: 'created', after });
      return made;
    });
    return { ...invitationView(row), token, link_path: `/join#${token}` };
  });
