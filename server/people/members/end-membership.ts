import { currentInstant } from '../../kernel/database/columns.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { recordChange, type Scope } from '../activity/record.js';
import { endInvitationsBy } from './invitation-queries.js';
import type { MemberRow } from './queries.js';

export type EndedMember = Pick<MemberRow, 'user_id' | 'name' | 'email' | 'role'>;

/**
 * Ends a membership, the invitations that the person made, and their sessions in the organization. A verified email domain
 * does not add the person again. The caller has locked the organization, and checks that it has an administrator.
 */
export async function endMembership(
  tx: TransactionClient,
  scope: Scope,
  { user_id: userId, name, email, role }: EndedMember,
): Promise<void> {
  const { orgId } = scope;
  await tx.$executeRaw`DELETE FROM memberships WHERE org_id = ${orgId}::int AND user_id = ${userId}::int`;
  await tx.$executeRaw`
    INSERT INTO former_members (org_id, user_id) VALUES (${orgId}::int, ${userId}::int)
    ON CONFLICT (org_id, user_id) DO UPDATE SET removed_at = EXCLUDED.removed_at`;
  await endInvitationsBy(tx, orgId, userId);
  const before = { name, email, role };
  await recordChange(tx, scope, { kind: 'member', objectId: userId, objectName: name, action: 'deleted', before });
  await tx.$executeRaw`
    UPDATE sessions
       SET revoked_at = ${currentInstant}
     WHERE user_id = ${userId}::int
       AND org_id = ${orgId}::int
       AND revoked_at IS NULL`;
}
