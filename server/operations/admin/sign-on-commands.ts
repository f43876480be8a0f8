import { breaksUnique } from '../../kernel/database/faults.js';
import { StartError } from '../../kernel/start-error.js';
import { system } from '../../people/activity/author.js';
import { recordChange } from '../../people/activity/record.js';
import { isPublicDomain, normalizedDomain } from '../../people/email-domains/domain-name.js';
import { findDomain, verifyDomain } from '../../people/email-domains/queries.js';
import { notifyOfChange } from '../../people/mail/credential-change.js';
import { proveAddress } from '../../people/session/prove-address.js';
import { disconnectIdentities } from '../../people/sign-on/queries.js';
import { type AdminOptions, readOrganizationId, requireAccount, withAdminDatabase } from './admin-database.js';

/**
 * Verifies an email domain that an organization has added, for servers that cannot read DNS records.
 *
 * @throws StartError if the organization has not added it, or another organization has verified it
 */
export async function verifyDomainByOperator(
  { domain: text, organizationId }: { domain: string; organizationId: string },
  options: AdminOptions,
): Promise<void> {
  const domain = normalizedDomain(text);
  if (domain === undefined || isPublicDomain(domain))
    throw new StartError(`${text} cannot be an organization's domain`);
  const orgId = readOrganizationId(organizationId);
  await withAdminDatabase(options, (db) =>
    db.$transaction(async (tx) => {
      const claim = await findDomain(tx, orgId, domain);
      if (!claim) throw new StartError(`an administrator of organization ${orgId} has to add ${domain} first`);
      await verifyDomain(tx, orgId, domain).catch((error: unknown) => {
        if (!breaksUnique(error, 'email_domains_verified')) throw error;
        throw new StartError(`another organization has verified ${domain}`);
      });
      if (claim.verified_at !== null) return;
      const change = { kind: 'email_domain', objectId: domain, objectName: domain, action: 'updated' } as const;
      await recordChange(tx, { orgId, author: system }, { ...change, after: { verified: true } });
    }),
  );
}

/**
 * Disconnects a person's account from single sign-on. The next person who signs on with the address gets the account, after
 * giving its password if it has one.
 *
 * @returns how many identities were connected
 * @throws StartError if nobody has this address
 */
export async function disconnectByOperator(email: string, options: AdminOptions): Promise<number> {
  return withAdminDatabase(options, async (db) => {
    const user = await requireAccount(db, email);
    return db.$transaction(async (tx) => {
      const count = await disconnectIdentities(tx, user.id);
      if (count > 0) await notifyOfChange(tx, options.settings, { userId: user.id, change: 'sign_on_disconnected' });
      return count;
    });
  });
}

/**
 * Records, as stated by the operator, that the address of an account belongs to the person who uses it: for accounts of
 * earlier releases, and for servers without email. Nothing is removed.
 *
 * @returns whether nobody had proven it before
 * @throws StartError if nobody has this address
 */
export async function confirmByOperator(email: string, options: AdminOptions): Promise<boolean> {
  return withAdminDatabase(options, async (db) => {
    const user = await requireAccount(db, email);
    const { isFirst } = await db.$transaction((tx) => proveAddress(tx, user.id, { keepsAll: true }));
    return isFirst;
  });
}
