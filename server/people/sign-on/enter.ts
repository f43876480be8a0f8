import type { Context } from '../../context.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import { type DomainOffer, findVerifiedDomain, hasRoomForMember } from '../email-domains/queries.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { findOffer } from '../members/invitation-queries.js';
import { type OpenSession, openSession } from '../session/answer.js';
import { addMember, joinByInvitation, takeInvitation } from '../session/invitation.js';
import { forgetRemoved, proveAddress, type ProvenAddress } from '../session/prove-address.js';
import {
  findHomeOrganization,
  findOrganization,
  insertUser,
  type OwnOrganization,
  renameUser,
  type User,
} from '../session/queries.js';
import type { Purpose } from './cookie-content.js';
import type { Proof } from './proof.js';
import { findIdentityUser, insertIdentity, lockAccount, lockUser, useIdentity } from './queries.js';

// docs/decisions/0035-single-sign-on.md explains when an account is connected, and the attacks that this prevents.

/**
 * The result of a proof: a session, or an account that requires its password before it is connected. `addressProof` is
 * the proof of the address of the account, if there was one.
 */
export type Outcome =
  | { kind: 'entered'; session: OpenSession; addressProof?: ProvenAddress }
  | { kind: 'password_required'; email: string };

/** Thrown if another request was faster. The repeated transaction then finds the result of that request. */
class OutrunError extends Error {}

const attemptsMax = 3;

type Entry = {
  ctx: Context;
  proof: Proof;
  purpose: Purpose;
  /** Whether the person claims an account whose address nobody has proven, without its password. */
  claims?: boolean;
};

/**
 * Opens a session for a person confirmed by the provider. Finds an account by issuer and subject, else by the verified
 * address. An account whose address is proven is connected at once. If nobody has proven the address of the account,
 * this is its first proof: with its password in the next step everything is kept, and with `claims` all that was made
 * before is removed. If there is no account, creates one for people with an invitation or with an address in a verified
 * email domain.
 */
export async function enterWith(entry: Entry): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const outcome = await entry.ctx.services.db.$transaction((tx) => enter(tx, entry));
      if (outcome.kind === 'entered' && outcome.addressProof) {
        forgetRemoved(entry.ctx.services.identity, outcome.addressProof);
      }
      return outcome;
    } catch (error) {
      if (!(error instanceof OutrunError) || attempt === attemptsMax) throw error;
    }
  }
}

async function enter(tx: TransactionClient, { ctx, proof, purpose, claims = false }: Entry): Promise<Outcome> {
  const { settings } = ctx.services;
  const opened = async (user: User, addressProof?: ProvenAddress): Promise<Outcome> => ({
    kind: 'entered',
    session: await openSession(tx, ctx, { user, organization: await enterOrganization(tx, user, { purpose, proof }) }),
    ...(addressProof && { addressProof }),
  });
  const knownId = await findIdentityUser(tx, proof);
  if (knownId !== undefined) {
    await lockUser(tx, knownId);
    const known = await useIdentity(tx, proof);
    if (!known) throw new OutrunError();
    // The identity was connected by a person who had a session or the password of the account, which are therefore theirs.
    if (proof.isEmailVerified && proof.email === known.email) await proveAddress(tx, known.id, { keepsAll: true });
    return opened(known);
  }
  const email = verifiedEmailOf(proof);
  const account = await lockAccount(tx, { email, issuer: proof.issuer });
  // Connected since the identity was looked up.
  if (account?.subject === proof.subject) throw new OutrunError();
  if (account && !account.is_proven && account.has_password && !claims) return { kind: 'password_required', email };
  if (account?.is_proven && account.subject !== null) throw refusal('sign_on_of_another_person');
  if (account) {
    const addressProof = await proveAddress(tx, account.id, { keepsAll: false });
    if (!(await insertIdentity(tx, account.id, proof))) throw new OutrunError();
    const user = addressProof.isFirst ? await renameUser(tx, account.id, proof.name) : account;
    await notifyOfChange(tx, settings, { userId: account.id, change: 'sign_on_connected', proof: addressProof });
    return opened(user ?? account, addressProof);
  }
  const { user, organization } = await createAccount(tx, { ...proof, email }, purpose);
  return { kind: 'entered', session: await openSession(tx, ctx, { user, organization }) };
}

/** @throws ContractError `forbidden` if the provider has not verified the address */
function verifiedEmailOf({ email, isEmailVerified, lacksVerification = false }: Proof): string {
  if (email !== undefined && isEmailVerified) return email;
  if (email === undefined) throw refusal('sign_on_without_email');
  throw refusal(lacksVerification ? 'sign_on_without_verification' : 'sign_on_email_unverified');
}

/**
 * Returns the organization of a session. With an invitation it is the inviting organization, which the user joins if
 * they are not a member yet. Otherwise, if the domain of their address at the provider is verified and they join its
 * organization now, it is this organization; else it is the organization of their latest session.
 */
export async function enterOrganization(
  tx: TransactionClient,
  user: User,
  { purpose: { invitation }, proof }: { purpose: Purpose; proof: Pick<Proof, 'email' | 'isEmailVerified'> },
): Promise<OwnOrganization> {
  const invited = invitation === undefined ? undefined : await enterInvited(tx, user, invitation);
  const joined = await joinByDomain(tx, user, proof);
  const organization = invited ?? joined ?? (await findHomeOrganization(tx, user.id));
  if (!organization) throw refusal('no_membership');
  return organization;
}

async function enterInvited(tx: TransactionClient, user: User, invitation: string): Promise<OwnOrganization> {
  const offer = await findOffer(tx, invitation);
  const own = offer && (await findOrganization(tx, user.id, offer.org_id));
  return own ?? (await joinByInvitation(tx, user, await takeInvitation(tx, invitation, user.email)));
}

/**
 * Makes a user a member by the verified domain of their address; undefined if they are one already, were removed from the
 * organization, or it has too many members. The caller has locked the user, so that two sign-ons do not both join.
 */
async function joinByDomain(
  tx: TransactionClient,
  user: User,
  { email, isEmailVerified }: Pick<Proof, 'email' | 'isEmailVerified'>,
): Promise<OwnOrganization | undefined> {
  if (email === undefined || !isEmailVerified) return undefined;
  const domain = await findVerifiedDomain(tx, email);
  if (!domain || (await findOrganization(tx, user.id, domain.org_id))) return undefined;
  const removals = await tx.$queryRaw<unknown[]>`
    SELECT FROM former_members WHERE org_id = ${domain.org_id}::int AND user_id = ${user.id}::int`;
  if (removals.length > 0 || !(await hasRoomForMember(tx, domain.org_id))) return undefined;
  return joinWithDomain(tx, user, domain);
}

function joinWithDomain(tx: TransactionClient, user: User, { org_id, org_name, role, domain }: DomainOffer) {
  return addMember(tx, user, { orgId: org_id, orgName: org_name, role, facts: { email_domain: domain } });
}

async function createAccount(
  tx: TransactionClient,
  proof: Proof & { email: string },
  { invitation }: Purpose,
): Promise<{ user: User; organization: OwnOrganization }> {
  const { name, email } = proof;
  const offer = invitation === undefined ? undefined : await takeInvitation(tx, invitation, email);
  const domain = offer ? undefined : await findVerifiedDomain(tx, email);
  if (!offer && !domain) throw refusal('sign_on_without_account', { email });
  const user = await insertUser(tx, { name, email, passwordHash: null, isProven: true });
  if (!user || !(await insertIdentity(tx, user.id, proof))) throw new OutrunError();
  if (offer) return { user, organization: await joinByInvitation(tx, user, offer) };
  const given = domain as DomainOffer;
  if (!(await hasRoomForMember(tx, given.org_id))) throw refusal('too_many_members');
  return { user, organization: await joinWithDomain(tx, user, given) };
}
