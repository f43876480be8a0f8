import { z } from 'zod';
import { recordChange } from '../activity/record.js';
import type { Actor, Context } from '../context.js';
import type { TransactionClient } from '../database/client.js';
import { currentInstant } from '../database/columns.js';
import { ContractError, validationError } from '../errors.js';
import { type Offer, takeOffer } from '../members/invitation-queries.js';
import { openProcedure } from '../trpc.js';
import { nameField } from '../validation/resource-fields.js';
import { accessAnswer, answerWith, openSession, type SessionAnswer } from './answer.js';
import { emailField, newPasswordField } from './fields.js';
import { invitationTokenField, noOffer, requireOffer } from './invitation.js';
import { findUser, insertUser, type OwnOrganization, type User } from './queries.js';
import { takeSignUp } from './throttle.js';

const person = z.strictObject({ name: nameField('create-string'), email: emailField, password: newPasswordField });

const input = z.strictObject({
  token: invitationTokenField,
  /** Who is yet to get an account; left out by whoever is signed in. */
  person: person.exactOptional(),
});

/**
 * Makes whoever brings the link a member, once: somebody new with an account of their own, or the person signed in, whose
 * session moves to the organisation. Of two who come with one link the database lets one in.
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
  // Asked again below, where it counts; here it spares the work of hashing for a link that is over.
  requireAddress(await requireOffer(db, token), email);
  await takeSignUp(db, ctx.clientAddress);
  const passwordHash = await identity.passwords.hash(password);
  const session = await db.$transaction(async (tx) => {
    const offer = await claim(tx, token, email);
    const user = await insertUser(tx, { name, email, passwordHash });
    if (!user) throw new ContractError('conflict', `user with email ${email} already exists; sign in to accept`);
    return openSession(tx, ctx, { user, organization: await join(tx, user, offer) });
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
    const organization = await join(tx, user, await claim(tx, token, user.email));
    const moved = await tx.session.updateMany({
      where: { id: sessionId, revokedAt: null },
      data: { orgId: organization.id },
    });
    if (moved.count === 0) throw new ContractError('unauthorized', 'Invalid or expired token');
    return { id: sessionId, user, organization };
  });
  return accessAnswer(ctx, session);
}

/** Takes the link for whoever has this address. What is thrown later in the transaction leaves it unused. */
async function claim(tx: TransactionClient, token: string, email: string): Promise<Offer> {
  const offer = await takeOffer(tx, token);
  if (!offer) throw noOffer();
  requireAddress(offer, email);
  return offer;
}

function requireAddress(offer: Offer, email: string): void {
  if (offer.email === null || offer.email === email) return;
  const message = `email must be the address that was invited, ${offer.email}`;
  throw validationError([{ field: 'email', code: 'invalid_value', message }]);
}

async function join(tx: TransactionClient, user: User, offer: Offer): Promise<OwnOrganization> {
  const { org_id: orgId, org_name: name, role } = offer;
  const joined = await tx.$executeRaw`
    INSERT INTO memberships (org_id, user_id, role, created_at)
    VALUES (${orgId}::int, ${user.id}::int, ${role}, ${currentInstant})
    ON CONFLICT (org_id, user_id) DO NOTHING`;
  if (joined === 0) throw new ContractError('conflict', 'You are a member of this organization already');
  const author = { entryPoint: 'app', actor: `user:${user.id}` } as const;
  const after = { name: user.name, email: user.email, role };
  const change = { kind: 'member', objectId: user.id, objectName: user.name, action: 'created', after } as const;
  await recordChange(tx, { orgId, author }, change);
  return { id: orgId, name, role };
}
