import { z } from 'zod';
import type { Actor } from '../actor.js';
import type { Context } from '../context.js';
import { ContractError } from '../errors.js';
import { openProcedure } from '../trpc.js';
import { nameField } from '../validation/resource-fields.js';
import { accessAnswer, answerWith, openSession, type SessionAnswer } from './answer.js';
import { emailField, newPasswordField } from './fields.js';
import { invitationTokenField, requireOffer } from './invitation.js';
import { joinByInvitation, requireAddress, takeInvitation } from './join.js';
import { findUser, insertUser } from './queries.js';
import { takeSignUp } from './throttle.js';

const person = z.strictObject({ name: nameField('create-string'), email: emailField, password: newPasswordField });

const input = z.strictObject({
  token: invitationTokenField,
  /** The new user; omitted by a user who is signed in. */
  person: person.exactOptional(),
});

/**
 * Makes the user of the link a member, once: a new user with an account of their own, or the user who is signed in,
 * whose session moves to the organization. Of two users of one link the database admits one.
 */
export const acceptInvitation = openProcedure.input(input).mutation(({ ctx, input: { token, person: newcomer } }) => {
  if (newcomer) return admitNewcomer(ctx, token, newcomer);
  if (ctx.actor.kind !== 'session') throw new ContractError('unauthorized', 'Session required');
  return admitMember(ctx, token, ctx.actor);
});

async function admitNewcomer(
  ctx: Context,
  token: string,
  { name, email, password }: z.output<typeof person>,
): Promise<SessionAnswer> {
  const { db, identity } = ctx.services;
  // Checked again below, where it counts; here it saves hashing a password for an invalid link.
  requireAddress(await requireOffer(db, token), email);
  await takeSignUp(db, ctx.clientAddress);
  const passwordHash = await identity.passwords.hash(password, { clientAddress: ctx.clientAddress });
  const session = await db.$transaction(async (tx) => {
    const offer = await takeInvitation(tx, token, email);
    const user = await insertUser(tx, { name, email, passwordHash });
    if (!user) throw new ContractError('conflict', `user with email ${email} already exists; sign in to accept`);
    return openSession(tx, ctx, { user, organization: await joinByInvitation(tx, user, offer) });
  });
  return answerWith(ctx, session);
}

async function admitMember(
  ctx: Context,
  token: string,
  { userId, sessionId }: Actor & { kind: 'session' },
): Promise<SessionAnswer> {
  const session = await ctx.services.db.$transaction(async (tx) => {
    const user = await findUser(tx, userId);
    if (!user) throw new ContractError('unauthorized', 'Invalid or expired token');
    const organization = await joinByInvitation(tx, user, await takeInvitation(tx, token, user.email));
    const moved = await tx.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { orgId: organization.id },
    });
    if (moved.count === 0) throw new ContractError('unauthorized', 'Invalid or expired token');
    return { id: sessionId, user, organization };
  });
  return accessAnswer(ctx, session);
}
