import type { Context } from '../context.js';
import type { TransactionClient } from '../database/client.js';
import { findVerifiedDomain, requireRoomForMember } from '../email-domains/queries.js';
import { ContractError } from '../errors.js';
import { findOffer } from '../members/invitation-queries.js';
import { type OpenSession, openSession } from '../session/answer.js';
import { addMember, joinByInvitation, takeInvitation } from '../session/join.js';
import {
  findHomeOrganization,
  findOrganization,
  insertUser,
  type OwnOrganization,
  type User,
} from '../session/queries.js';
import type { Purpose } from './cookie-content.js';
import type { Proof } from './proof.js';
import { findAccount, insertIdentity, useIdentity } from './queries.js';

/** The result of a proof: a session, or an account that requires its password before it is connected. */
export type Outcome = { kind: 'entered'; session: OpenSession } | { kind: 'password_required'; email: string };

/** Thrown if another request was faster; the repeated transaction then finds its result. */
class OutrunError extends Error {}

const attemptsMax = 3;

/**
 * Opens a session for a person confirmed by the provider. Finds an account by issuer and subject. An account with the
 * same verified address is connected at once only if it has no password. Without an account creates one, for people
 * with an invitation or of a verified email domain.
 */
export async function enterWith(ctx: Context, proof: Proof, purpose: Purpose): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ctx.services.db.$transaction((tx) => enter(tx, { ctx, proof, purpose }));
    } catch (error) {
      if (!(error instanceof OutrunError) || attempt === attemptsMax) throw error;
    }
  }
}

type Entry = { ctx: Context; proof: Proof; purpose: Purpose };

async function enter(tx: TransactionClient, { ctx, proof, purpose }: Entry): Promise<Outcome> {
  const opened = async (user: User, organization: OwnOrganization): Promise<Outcome> => ({
    kind: 'entered',
    session: await openSession(tx, ctx, { user, organization }),
  });
  const known = await useIdentity(tx, proof);
  if (known) return opened(known, await enterOrganization(tx, known, purpose));
  const email = verifiedEmailOf(proof);
  const account = await findAccount(tx, { email, issuer: proof.issuer });
  // Connected since the identity was looked up.
  if (account?.subject === proof.subject) throw new OutrunError();
  if (typeof account?.subject === 'string') {
    throw new ContractError(
      'forbidden',
      'The account with your email address is connected to another person at the identity provider. Contact your administrator',
    );
  }
  // The address of an account with a password was never proven, so the person has to know the password.
  if (account?.has_password) return { kind: 'password_required', email };
  if (account) {
    if (!(await insertIdentity(tx, account.id, proof))) throw new OutrunError();
    return opened(account, await enterOrganization(tx, account, purpose));
  }
  const { user, organization } = await createAccount(tx, { ...proof, email }, purpose);
  return opened(user, organization);
}

/** @throws ContractError `forbidden` if the provider has not verified the address */
export function verifiedEmailOf({ email, isEmailVerified }: Proof): string {
  if (email !== undefined && isEmailVerified) return email;
  throw new ContractError(
    'forbidden',
    email === undefined
      ? 'The identity provider sent no email address for you. Contact your administrator'
      : 'Your email address is not verified at the identity provider. Verify it there, and try again',
  );
}

/**
 * Returns the organization of a session: that of the invitation, which a user joins if they are not a member yet, or
 * else that of their latest session.
 */
export async function enterOrganization(
  tx: TransactionClient,
  user: User,
  { invitation }: Purpose,
): Promise<OwnOrganization> {
  if (invitation !== undefined) {
    const offer = await findOffer(tx, invitation);
    const own = offer && (await findOrganization(tx, user.id, offer.org_id));
    return own ?? (await joinByInvitation(tx, user, await takeInvitation(tx, invitation, user.email)));
  }
  const home = await findHomeOrganization(tx, user.id);
  if (!home) throw new ContractError('forbidden', 'You are not a member of any organization. Ask for an invitation');
  return home;
}

async function createAccount(
  tx: TransactionClient,
  proof: Proof & { email: string },
  { invitation }: Purpose,
): Promise<{ user: User; organization: OwnOrganization }> {
  const { name, email } = proof;
  const offer = invitation === undefined ? undefined : await takeInvitation(tx, invitation, email);
  const domain = offer ? undefined : await findVerifiedDomain(tx, email);
  if (!offer && !domain) {
    throw new ContractError(
      'forbidden',
      `Nobody has an account with the address ${email}. Ask an administrator of your organization for an invitation`,
    );
  }
  const user = await insertUser(tx, { name, email, passwordHash: null });
  if (!user || !(await insertIdentity(tx, user.id, proof))) throw new OutrunError();
  if (offer) return { user, organization: await joinByInvitation(tx, user, offer) };
  const { org_id: orgId, org_name: orgName, role } = domain as NonNullable<typeof domain>;
  await requireRoomForMember(tx, orgId);
  const facts = { email_domain: domain?.domain };
  return { user, organization: await addMember(tx, user, { orgId, orgName, role, facts }) };
}
