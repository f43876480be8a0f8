import { randomUUID } from 'node:crypto';
import type { Identity } from '../../server/people/auth/identity.js';
import type { Role } from '../../server/people/auth/scopes.js';
import type { TestDb } from './models.js';

/** Creates an organization without members, and returns its ID. */
export async function createOrganization(db: TestDb, name = 'Acme'): Promise<number> {
  return (await db.organization.create({ data: { name } })).id;
}

export type TestMember = { userId: number; email: string };

/** Creates a user with a role in an organization, and a proven address. Without a password hash nobody can sign in as them. */
export async function createMember(
  db: TestDb,
  orgId: number,
  {
    role,
    name = role,
    passwordHash = 'none',
    isProven = true,
  }: { role: Role; name?: string; passwordHash?: string; isProven?: boolean },
): Promise<TestMember> {
  const email = `${role}-${randomUUID()}@example.com`;
  const { id: userId } = await db.user.create({
    data: { email, name, passwordHash, emailProvenAt: isProven ? new Date() : null },
  });
  await db.membership.create({ data: { orgId, userId, role } });
  return { userId, email };
}

export type MemberSession = TestMember & { sessionId: string; token: string };

/** Creates a member with an open session. */
export async function createMemberSession(
  { db, identity }: { db: TestDb; identity: Pick<Identity, 'signSession'> },
  orgId: number,
  role: Role,
): Promise<MemberSession> {
  const member = await createMember(db, orgId, { role });
  const { id: sessionId } = await db.session.create({ data: { id: randomUUID(), userId: member.userId, orgId } });
  const token = await identity.signSession({ id: sessionId, userId: member.userId, orgId });
  return { ...member, sessionId, token };
}
