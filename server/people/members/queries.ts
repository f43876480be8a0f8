import type { Role } from '../auth/scopes.js';
import type { Database, TransactionClient } from '../../kernel/database/client.js';
import { inNaturalOrder, timestamp } from '../../kernel/database/columns.js';
import { refusal } from '../../kernel/errors.js';
import type { Paging } from '../../kernel/lists.js';

/** A member of an organization; `created_at` is when the membership began. */
export type MemberRow = {
  user_id: number;
  name: string;
  email: string;
  role: Role;
  created_at: string;
  /** Whether the person can sign in by single sign-on. */
  has_sign_on: boolean;
};

export async function findMembers(db: Database, orgId: number, { limit, offset }: Paging): Promise<MemberRow[]> {
  return db.$queryRaw<MemberRow[]>`
    SELECT m.user_id, u.name, u.email, m.role, ${timestamp('m.created_at')} AS created_at,
           EXISTS (SELECT FROM sign_on_identities i WHERE i.user_id = m.user_id) AS has_sign_on
      FROM memberships m
      JOIN users u ON u.id = m.user_id
     WHERE m.org_id = ${orgId}::int
     ORDER BY ${inNaturalOrder('u.name')}, m.user_id
     LIMIT ${limit}::int OFFSET ${offset}::int`;
}

/**
 * Begins a change of an organization's members. Changes run one after the other, and the author must still be an
 * administrator.
 *
 * @param change `userId` is the changed member, if there is one already
 * @returns the member before the change
 * @throws ContractError `forbidden` if the caller is no longer an administrator, `not_found` if there is no such member
 */
export async function lockMembers(
  tx: TransactionClient,
  change: { orgId: number; actorId: number; userId?: number },
): Promise<Pick<MemberRow, 'name' | 'email' | 'role'>> {
  const { orgId, actorId, userId = actorId } = change;
  await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${orgId}::int FOR NO KEY UPDATE`;
  const members = await tx.$queryRaw<Omit<MemberRow, 'created_at' | 'has_sign_on'>[]>`
    SELECT m.user_id, u.name, u.email, m.role
      FROM memberships m
      JOIN users u ON u.id = m.user_id
     WHERE m.org_id = ${orgId}::int
       AND m.user_id IN (${actorId}::int, ${userId}::int)`;
  if (!members.some((member) => member.user_id === actorId && member.role === 'admin')) {
    throw refusal('role_missing', { role: 'admin' });
  }
  const member = members.find(({ user_id: id }) => id === userId);
  if (!member) throw refusal('not_found', { what: 'Member' });
  return member;
}

/**
 * Ensures that an organization has an administrator. Call it after the change, inside its transaction.
 *
 * @throws ContractError `conflict`, which rolls the change back
 */
export async function requireAdministrators(tx: TransactionClient, orgId: number): Promise<void> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS found FROM memberships WHERE org_id = ${orgId}::int AND role = 'admin' LIMIT 1`;
  if (rows.length === 0) throw refusal('last_administrator');
}
