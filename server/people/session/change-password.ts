import { z } from 'zod';
import type { Context } from '../../context.js';
import { type ContractError, fieldRefusal, refusal } from '../../kernel/errors.js';
import { sessionProcedure } from '../../trpc.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { newPasswordField, passwordField } from './fields.js';
import { findUser, replacePassword, revokeOtherSessions } from './queries.js';
import { removeResetOf } from './reset-queries.js';
import { authenticate } from './sign-in.js';

const input = z.strictObject({ current_password: passwordField, new_password: newPasswordField });

/**
 * Gives a user another password, and ends their other sessions. Attempts at the present password are limited like
 * attempts to sign in.
 */
export const changePassword = sessionProcedure('viewer')
  .input(input)
  .mutation(async ({ ctx, input: { current_password, new_password } }) => {
    const { db, identity, settings } = ctx.services;
    const { userId, sessionId } = ctx.actor;
    const present = await requirePassword(ctx, userId, { current_password });
    const next = await identity.passwords.hash(new_password, { clientAddress: ctx.clientAddress, isKnown: true });
    await db.$transaction(async (tx) => {
      if (!(await replacePassword(tx, userId, { from: present, to: next }))) throw wrongPassword();
      await revokeOtherSessions(tx, userId, sessionId);
      await removeResetOf(tx, userId);
      await notifyOfChange(tx, settings, { userId, change: 'password_changed' });
    });
    identity.forgetSessions();
    return { changed: true as const };
  });

/**
 * Checks the password of a signed-in user, and returns its hash. Attempts are limited like attempts to sign in.
 *
 * @param given the field of the request with the password
 * @throws ContractError `validation_error` for this field if it is wrong
 */
export async function requirePassword(ctx: Context, userId: number, given: Record<string, string>): Promise<string> {
  const [[fieldName, password]] = Object.entries(given) as [[string, string]];
  const user = await findUser(ctx.services.db, userId);
  if (!user) throw refusal('token_invalid');
  const proven = await authenticate(ctx, { email: user.email, password, isSignedIn: true });
  if (!proven) throw wrongPassword(fieldName);
  return proven.password_hash;
}

function wrongPassword(fieldName = 'current_password'): ContractError {
  return fieldRefusal(fieldName, 'wrong_password');
}
