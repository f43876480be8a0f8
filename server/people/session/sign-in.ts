import { z } from 'zod';
import type { Context } from '../../context.js';
import { refusal } from '../../kernel/errors.js';
import { openProcedure } from '../../trpc.js';
import { answerWith, openSession } from './answer.js';
import { accountEmailField, passwordField } from './fields.js';
import { findCredentials, findHomeOrganization, lockPassword, type User } from './queries.js';
import { attemptOf, clearSignIn, giveBackSignIn, takeSignIn } from './throttle.js';

const input = z.strictObject({ email: accountEmailField, password: passwordField });

/** Opens a session. An unknown address and a wrong password get the same answer after the same time. */
export const signIn = openProcedure.input(input).mutation(async ({ ctx, input: credentials }) => {
  const user = await authenticate(ctx, credentials);
  if (!user) throw refusal('credentials_wrong');
  const session = await ctx.services.db.$transaction(async (tx) => {
    // If the password was changed meanwhile, no session is opened, because it would outlive the change.
    if (!(await lockPassword(tx, user.id, user.password_hash))) throw refusal('credentials_wrong');
    const organization = await findHomeOrganization(tx, user.id);
    if (!organization) throw refusal('no_membership');
    return openSession(tx, ctx, { user, organization });
  });
  return answerWith(ctx, session);
});

/**
 * Returns the user with this address and password; undefined if there is none. The number of failures is limited.
 *
 * @param given `isSignedIn` for a person whose session asks for the password again
 * @throws ContractError `rate_limited`
 */
export async function authenticate(
  ctx: Context,
  { email, password, isSignedIn = false }: { email: string; password: string; isSignedIn?: boolean },
): Promise<(User & { password_hash: string }) | undefined> {
  const { db, identity } = ctx.services;
  const attempt = await attemptOf(ctx, email);
  await takeSignIn(db, attempt);
  const known = await findCredentials(db, email);
  const passwordHash = known?.password_hash ?? undefined;
  const origin = { clientAddress: ctx.clientAddress, isKnown: isSignedIn || attempt.knownDeviceId !== undefined };
  const matches = await identity.passwords.verify(passwordHash, password, origin).catch(async (error: unknown) => {
    await giveBackSignIn(db, attempt, error);
    throw error;
  });
  if (!known || passwordHash === undefined || !matches) return undefined;
  await clearSignIn(db, attempt);
  return { ...known, password_hash: passwordHash };
}
