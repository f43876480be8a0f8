import { z } from 'zod';
import type { Context } from '../../context.js';
import type { TransactionClient } from '../../kernel/database/client.js';
import { refusal } from '../../kernel/errors.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { openProcedure } from '../../trpc.js';
import type { Actor } from '../actor.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { accessAnswer, answerWith, openSession, type SessionAnswer } from './answer.js';
import { emailField, newPasswordField } from './fields.js';
import { invitationTokenField, joinByInvitation, requireAddress, requireOffer, takeInvitation } from './invitation.js';
import { forgetRemoved, proveAddress, type ProvenAddress } from './prove-address.js';
import {
  findCredentials,
  findOrganization,
  findUser,
  insertUser,
  moveSession,
  renameUser,
  type User,
} from './queries.js';
import { setPassword } from './reset-queries.js';
import { takeSignUp } from './throttle.js';

const person = z.strictObject({ name: nameField('create-string'), email: emailField, password: newPasswordField });

const input = z.strictObject({
  token: invitationTokenField,
  /** The new user; omitted by a user who is signed in. */
  person: person.exactOptional(),
});

/**
 * Makes the user of the link a member, once: a new user with a new account, or the user who is signed in, whose session
 * moves to the organization. A mailed link proves the address of a new user, who then also takes over an account that
 * somebody else had made with this address. If two users have the same link, the database admits one.
 */
export const acceptInvitation = openProcedure.input(input).mutation(({ ctx, input: { token, person: newcomer } }) => {
  if (newcomer) return admitNewcomer(ctx, token, newcomer);
  if (ctx.actor.kind !== 'session') throw refusal('session_required');
  return admitMember(ctx, token, ctx.actor);
});

async function admitNewcomer(
  ctx: Context,
  token: string,
  { name, email, password }: z.output<typeof person>,
): Promise<SessionAnswer> {
  const { db, identity, settings } = ctx.services;
  // The check in the transaction below decides; this one avoids hashing a password for an invalid link.
  requireAddress(await requireOffer(db, token), email);
  await takeSignUp(db, ctx.clientAddress);
  const passwordHash = await identity.passwords.hash(password, { clientAddress: ctx.clientAddress });
  const { session, proof } = await db.$transaction(async (tx) => {
    const offer = await takeInvitation(tx, token, email);
    const isProven = offer.is_mailed;
    const newcomer = await insertUser(tx, { name, email, passwordHash, isProven });
    if (newcomer) {
      const organization = await joinByInvitation(tx, newcomer, offer);
      return { session: await openSession(tx, ctx, { user: newcomer, organization }), proof: undefined };
    }
    const claimed = isProven ? await claimAccount(tx, { name, email, passwordHash }) : undefined;
    if (!claimed) throw refusal('email_taken', { email });
    const own = await findOrganization(tx, claimed.user.id, offer.org_id);
    const organization = own ?? (await joinByInvitation(tx, claimed.user, offer));
    const opened = await openSession(tx, ctx, { user: claimed.user, organization });
    await notifyOfChange(tx, settings, { userId: claimed.user.id, change: 'account_claimed', proof: claimed.proof });
    return { session: opened, proof: claimed.proof };
  });
  if (proof) forgetRemoved(identity, proof);
  return answerWith(ctx, session);
}

/**
 * If somebody made an account with another person's address, gives the account to the owner of the address, who has
 * opened the mailed link. Returns undefined if the address of the account is proven: its owner can sign in.
 */
async function claimAccount(
  tx: TransactionClient,
  { name, email, passwordHash }: { name: string; email: string; passwordHash: string },
): Promise<{ user: User; proof: ProvenAddress } | undefined> {
  const known = await findCredentials(tx, email);
  if (!known) return undefined;
  const proof = await proveAddress(tx, known.id, { keepsAll: false });
  if (!proof.isFirst) return undefined;
  await setPassword(tx, known.id, passwordHash);
  const user = await renameUser(tx, known.id, name);
  return user && { user, proof };
}

async function admitMember(
  ctx: Context,
  token: string,
  { userId, sessionId }: Actor & { kind: 'session' },
): Promise<SessionAnswer> {
  const session = await ctx.services.db.$transaction(async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) throw refusal('token_invalid');
    const organization = await joinByInvitation(tx, user, await takeInvitation(tx, token, user.email));
    if (!(await moveSession(tx, sessionId, organization.id))) throw refusal('token_invalid');
    return { id: sessionId, user, organization };
  });
  return accessAnswer(ctx, session);
}
