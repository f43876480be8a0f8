import { Prisma } from '../../../generated/prisma/client.js';
import type { Role } from '../auth/scopes.js';
import type { Queries, TransactionClient } from '../../kernel/database/client.js';
import { currentInstant, timestamp } from '../../kernel/database/columns.js';
import { domainOfEmail } from './domain-name.js';

/** Domains of an organization, verified or not. */
export const emailDomainsMax = 20;

/** Verified domains add no more members to an organization with this many. */
export const domainMembersMax = 10_000;

/** The roles that a domain can give: only administrators can make administrators. */
export type DomainRole = Exclude<Role, 'admin'>;

/** A domain as stored. */
export type EmailDomainRow = {
  domain: string;
  role: DomainRole;
  token: string;
  created_at: string;
  verified_at: string | null;
};

const emailDomainRow = Prisma.sql`
  d.domain, d.role, d.token, ${timestamp('d.created_at')} AS created_at, ${timestamp('d.verified_at')} AS verified_at`;

export async function findDomains(db: Queries, orgId: number): Promise<EmailDomainRow[]> {
  return db.$queryRaw<EmailDomainRow[]>`
    SELECT ${emailDomainRow} FROM email_domains d WHERE d.org_id = ${orgId}::int ORDER BY d.domain`;
}

export async function findDomain(db: Queries, orgId: number, domain: string): Promise<EmailDomainRow | undefined> {
  const rows = await db.$queryRaw<EmailDomainRow[]>`
    SELECT ${emailDomainRow} FROM email_domains d WHERE d.org_id = ${orgId}::int AND d.domain = ${domain}`;
  return rows[0];
}

/**
 * Inserts a domain. Returns undefined if the organization has it already. The caller holds the lock of the
 * organization's members.
 */
export async function insertDomain(
  tx: TransactionClient,
  orgId: number,
  { domain, role, token }: Pick<EmailDomainRow, 'domain' | 'role' | 'token'>,
): Promise<EmailDomainRow | undefined> {
  const rows = await tx.$queryRaw<EmailDomainRow[]>`
    INSERT INTO email_domains AS d (org_id, domain, role, token, created_at)
    VALUES (${orgId}::int, ${domain}, ${role}, ${token}, ${currentInstant})
    ON CONFLICT (org_id, domain) DO NOTHING
    RETURNING ${emailDomainRow}`;
  return rows[0];
}

export async function updateDomainRole(
  tx: TransactionClient,
  orgId: number,
  { domain, role }: Pick<EmailDomainRow, 'domain' | 'role'>,
): Promise<EmailDomainRow | undefined> {
  const rows = await tx.$queryRaw<EmailDomainRow[]>`
    UPDATE email_domains d
       SET role = ${role}
     WHERE d.org_id = ${orgId}::int
       AND d.domain = ${domain}
    RETURNING ${emailDomainRow}`;
  return rows[0];
}

export async function deleteDomain(tx: TransactionClient, orgId: number, domain: string): Promise<boolean> {
  const deleted = await tx.$executeRaw`
    DELETE FROM email_domains WHERE org_id = ${orgId}::int AND domain = ${domain}`;
  return deleted > 0;
}

/**
 * Sets a domain to verified; returns undefined if the organization no longer has it. Fails on the unique index
 * `email_domains_verified` if another organization has verified it.
 */
export async function verifyDomain(
  tx: TransactionClient,
  orgId: number,
  domain: string,
): Promise<EmailDomainRow | undefined> {
  const rows = await tx.$queryRaw<EmailDomainRow[]>`
    UPDATE email_domains d
       SET verified_at = coalesce(d.verified_at, ${currentInstant})
     WHERE d.org_id = ${orgId}::int
       AND d.domain = ${domain}
    RETURNING ${emailDomainRow}`;
  return rows[0];
}

/** The membership that a verified domain gives. */
export type DomainOffer = { domain: string; role: DomainRole; org_id: number; org_name: string };

/**
 * Returns the membership that the domain of an address gives; undefined if no organization has verified it. Subdomains
 * are separate domains.
 */
export async function findVerifiedDomain(tx: TransactionClient, email: string): Promise<DomainOffer | undefined> {
  const domain = domainOfEmail(email);
  if (domain === undefined) return undefined;
  const rows = await tx.$queryRaw<DomainOffer[]>`
    SELECT d.domain, d.role, o.id AS org_id, o.name AS org_name
      FROM email_domains d
      JOIN organizations o ON o.id = d.org_id
     WHERE d.domain = ${domain}
       AND d.verified_at IS NOT NULL`;
  return rows[0];
}

/**
 * Returns whether an organization can have one more member by a domain. Locks the organization's members until the end of
 * the transaction.
 */
export async function hasRoomForMember(tx: TransactionClient, orgId: number): Promise<boolean> {
  await tx.$queryRaw`SELECT id FROM organizations WHERE id = ${orgId}::int FOR NO KEY UPDATE`;
  const [{ n }] = await tx.$queryRaw<[{ n: number }]>`
    SELECT count(*)::int AS n FROM memberships WHERE org_id = ${orgId}::int`;
  return n < domainMembersMax;
}
