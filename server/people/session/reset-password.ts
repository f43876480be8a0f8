import { z } from 'zod';
import { type ContractError, refusal } from '../../kernel/errors.js';
import { openProcedure } from '../../trpc.js';
import { textField } from '../../kernel/validation/fields.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { newPasswordField } from './fields.js';
import { forgetRemoved, proveAddress } from './prove-address.js';
import { revokeSessionsOfUser } from './queries.js';
import { hasReset, setPassword, takeReset } from './reset-queries.js';
import { clearSignIn, attemptOf } from './throttle.js';

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
  // Checked again below, where it counts; here it saves hashing a password for an invalid link.
  if (!(await hasReset(db, token))) throw noReset();
  const passwordHash = await identity.passwords.hash(new_password, { clientAddress: ctx.clientAddress });
  const { user, proven } = await db.$transaction(async (tx) => {
    const taken = await takeReset(tx, token);
    if (!taken) throw noReset();
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

function noReset(): ContractError {
  return refusal('link_used');
}
