import { z } from 'zod';
import { refusal } from '../../kernel/errors.js';
import { addJobs } from '../../kernel/jobs/queue-queries.js';
import { textField } from '../../kernel/validation/fields.js';
import { openProcedure } from '../../trpc.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { passwordResetJob } from '../mail/password-reset.js';
import { emailField, newPasswordField } from './fields.js';
import { forgetRemoved, proveAddress } from './prove-address.js';
import { revokeSessionsOfUser } from './queries.js';
import { hasReset, setPassword, takeReset } from './reset-queries.js';
import { attemptOf, clearSignIn, takePasswordReset } from './throttle.js';

/**
 * Mails a link to choose another password, if a user has this address. If no user has it, the answer and its timing are
 * the same, since a job looks the address up. 409 if email is not configured.
 */
export const requestPasswordReset = openProcedure
  .input(z.strictObject({ email: emailField }))
  .mutation(async ({ ctx, input: { email } }) => {
    const { db, mailer } = ctx.services;
    if (!mailer) throw refusal('email_not_configured');
    await takePasswordReset(db, { email, clientAddress: ctx.clientAddress });
    await addJobs(db, [passwordResetJob(email)]);
    return { requested: true as const };
  });

const input = z.strictObject({
  token: textField({ min: 1, max: 200 }, 'create-string'),
  new_password: newPasswordField,
});

/**
 * Gives the user of the link another password, and ends all their sessions. The link works once, for an hour. It proves the
 * address: everything that was made before the first proof is removed.
 */
export const resetPassword = openProcedure.input(input).mutation(async ({ ctx, input: { token, new_password } }) => {
  const { db, identity, settings } = ctx.services;
  // The check in the transaction below decides; this one avoids hashing a password for an invalid link.
  if (!(await hasReset(db, token))) throw refusal('link_used');
  const passwordHash = await identity.passwords.hash(new_password, { clientAddress: ctx.clientAddress });
  const { user, proven } = await db.$transaction(async (tx) => {
    const taken = await takeReset(tx, token);
    if (!taken) throw refusal('link_used');
    const proof = await proveAddress(tx, taken.id, { keepsAll: false });
    await setPassword(tx, taken.id, passwordHash);
    await revokeSessionsOfUser(tx, taken.id);
    await notifyOfChange(tx, settings, { userId: taken.id, change: 'password_reset', proof });
    return { user: taken, proven: proof };
  });
  identity.forgetSessions();
  forgetRemoved(identity, proven);
  await clearSignIn(db, await attemptOf(ctx, user.email));
  return { email: user.email };
});
