import { hashToken } from '../auth/random-token.js';
import type { Role } from '../auth/scopes.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, epochMs, instant, timestamp } from '../../kernel/database/columns.js';
import type { Quota } from '../../kernel/database/quota.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Paging } from '../../kernel/lists.js';

/** How long a link is valid. */
const invitationMs = 7 * 24 * 60 * 60 * 1000;

/** Expired links are kept for investigations. */
const keptDays = 30;

/** Neither used, nor revoked, nor expired: a condition on the alias `i`. */
export const isOpenInvitation = Prisma.sql`i.accepted_at IS NULL AND i.revoked_at IS NULL AND i.expires_at > clock_timestamp()`;

/** The quota of links of an organization. Expired links are kept for 30 days. */
export const invitationQuota: Quota = {
  table: 'invitations',
  lock: 'invitations',
  isLive: Prisma.sql`(accepted_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp())`,
  noun: 'open invitations',
  liveMax: 1000,
  pastMax: 10_000,
};

/** An open invitation for administrators. */
export type InvitationRow = {
  id: number;
  role: Role;
  email: string | null;
  /** Null if that user no longer exists. */
  invited_by_name: string | null;
  created_at: string;
  expires_at: string;
};

const invitationRow = Prisma.sql`
  i.id, i.role, i.email,
  (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by_name,
  ${timestamp('i.created_at')} AS created_at,
  ${timestamp('i.expires_at')} AS expires_at`;

export type NewInvitation = {
  token: string;
  /** The token of the mailed link, which nobody but the recipient gets; null if no link is mailed. */
  mailToken: string | null;
  role: Role;
  email: string | null;
  invitedBy: number;
};

export async function insertInvitation(
  tx: TransactionClient,
  orgId: number,
  { token, mailToken, role, email, invitedBy }: NewInvitation,
): Promise<InvitationRow> {
  const rows = await tx.$queryRaw<[InvitationRow]>`
    INSERT INTO invitations AS i (org_id, token_hash, mail_token_hash, role, email, invited_by, created_at, expires_at)
    VALUES (${orgId}::int, ${hashToken(token)}, ${mailToken === null ? null : hashToken(mailToken)}, ${role}, ${email}, ${invitedBy}::int,
            ${currentInstant}, ${instant(Date.now() + invitationMs)})
    RETURNING ${invitationRow}`;
  return rows[0];
}

/** Returns an organization's open invitations, newest first. */
export async function findInvitations(db: Queries, orgId: number, { limit, offset }: Paging): Promise<InvitationRow[]> {
  return db.$queryRaw<InvitationRow[]>`
    SELECT ${invitationRow}
      FROM invitations i
     WHERE i.org_id = ${orgId}::int
       AND ${isOpenInvitation}
     ORDER BY i.created_at DESC, i.id DESC
     LIMIT ${limit}::int OFFSET ${offset}::int`;
}

export async function countInvitations(db: Queries, orgId: number): Promise<number> {
  const rows = await db.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n FROM invitations i WHERE i.org_id = ${orgId}::int AND ${isOpenInvitation}`;
  return rows[0].n;
}

/** Counts the invitations with an address that an organization has created in the last 24 hours. */
export async function countAddressed(tx: TransactionClient, orgId: number): Promise<number> {
  const rows = await tx.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n
      FROM invitations i
     WHERE i.org_id = ${orgId}::int AND i.email IS NOT NULL AND i.created_at > clock_timestamp() - interval '1 day'`;
  return rows[0].n;
}

/** Revokes an open invitation and returns it; undefined if there is no such open invitation. */
export async function endInvitation(
  tx: TransactionClient,
  orgId: number,
  id: number,
): Promise<Pick<InvitationRow, 'id' | 'email'> | undefined> {
  const rows = await tx.$queryRaw<Pick<InvitationRow, 'id' | 'email'>[]>`
    UPDATE invitations i
       SET revoked_at = ${currentInstant}
     WHERE i.org_id = ${orgId}::int
       AND i.id = ${id}::int
       AND ${isOpenInvitation}
    RETURNING i.id, i.email`;
  return rows[0];
}

/** Revokes the invitations of a user who may no longer invite anybody. */
export async function endInvitationsBy(tx: TransactionClient, orgId: number, userId: number): Promise<void> {
  await tx.$executeRaw`
    UPDATE invitations i
       SET revoked_at = ${currentInstant}
     WHERE i.org_id = ${orgId}::int
       AND i.invited_by = ${userId}::int
       AND ${isOpenInvitation}`;
}

/** The contents of an invitation link. */
export type Offer = {
  id: number;
  role: Role;
  email: string | null;
  expires_at: number;
  org_id: number;
  org_name: string;
  /** Whether this is the mailed link, which proves that its holder owns the address. */
  is_mailed: boolean;
};

const offerOf = (token: string) => Prisma.sql`
  SELECT i.id, i.role, i.email, ${epochMs('i.expires_at')} AS expires_at, o.id AS org_id, o.name AS org_name,
         i.mail_token_hash IS NOT DISTINCT FROM ${hashToken(token)} AS is_mailed
    FROM invitations i
    JOIN organizations o ON o.id = i.org_id
   WHERE (i.token_hash = ${hashToken(token)} OR i.mail_token_hash = ${hashToken(token)})
     AND ${isOpenInvitation}`;

/** Returns undefined for any link that is unknown, used, revoked or expired. */
export async function findOffer(db: Queries, token: string): Promise<Offer | undefined> {
  const rows = await db.$queryRaw<Offer[]>`${offerOf(token)}`;
  return rows[0];
}

/**
 * Does the same as `findOffer`, and uses the link. If two callers have the same link, the second one gets undefined.
 */
export async function takeOffer(tx: TransactionClient, token: string): Promise<Offer | undefined> {
  const rows = await tx.$queryRaw<Offer[]>`${offerOf(token)} FOR UPDATE OF i`;
  const offer = rows[0];
  if (offer) await tx.$executeRaw`UPDATE invitations SET accepted_at = ${currentInstant} WHERE id = ${offer.id}::int`;
  return offer;
}

export async function removeOldInvitations(db: Queries): Promise<void> {
  await db.$executeRaw`
    DELETE FROM invitations WHERE expires_at < clock_timestamp() - make_interval(days => ${keptDays}::int)`;
}
