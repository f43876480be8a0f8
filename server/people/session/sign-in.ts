import { z } from 'zod';
import type { Context } from '../../context.js';
import { type ContractError, refusal } from '../../kernel/errors.js';
import { openProcedure } from '../../trpc.js';
import { answerWith, openSession, type SessionAnswer } from './answer.js';
import { accountEmailField, passwordField } from './fields.js';
import { findCredentials, findHomeOrganization, lockPassword, type User } from './queries.js';
import { type Attempt, attemptOf, checkPassword, clearSignIn, takeSignIn } from './throttle.js';

const input = z.strictObject({ email: accountEmailField, password: passwordField });

/** Opens a session. An unknown address and a wrong password get the same answer after the same time. */
export const signIn = openProcedure.input(input).mutation(async ({ ctx, input: credentials }) => {
  const attempt = await attemptOf(ctx, credentials.email);
  await takeSignIn(ctx.services.db, attempt);
  const user = await authenticate(ctx, attempt, credentials.password);
  await clearSignIn(ctx.services.db, attempt);
  return enter(ctx, user);
});

/** A user who has proven their password. */
export type Proven = User & { password_hash: string };

/** Returns the user with this address and password. */
export async function authenticate(ctx: Context, attempt: Attempt, password: string): Promise<Proven> {
  const { db, identity } = ctx.services;
  const known = await findCredentials(db, attempt.email);
  const passwordHash = known?.password_hash ?? undefined;
  const origin = { clientAddress: attempt.clientAddress, isKnown: attempt.knownDeviceId !== undefined };
  const verify = () => identity.passwords.verify(passwordHash, password, origin);
  const matches = await checkPassword(db, attempt, verify);
  if (!known || passwordHash === undefined || !matches) throw wrongCredentials();
  return { ...known, password_hash: passwordHash };
}

async function enter(ctx: Context, user: Proven): Promise<SessionAnswer> {
  const session = await ctx.services.db.$transaction(async (tx) => {
    // A password that was changed meanwhile opens no session, as that session would outlive the change.
    if (!(await lockPassword(tx, user.id, user.password_hash))) throw wrongCredentials();
    const organization = await findHomeOrganization(tx, user.id);
    if (!organization) throw refusal('no_membership');
    return openSession(tx, ctx, { user, organization });
  });
  return answerWith(ctx, session);
}

export function wrongCredentials(): ContractError {
  return refusal('credentials_wrong');
}
