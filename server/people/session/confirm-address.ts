import { z } from 'zod';
import type { Context } from '../../context.js';
import { refusal } from '../../kernel/errors.js';
import { textField } from '../../kernel/validation/fields.js';
import { sessionProcedure } from '../../trpc.js';
import type { Confirmation } from '../auth/identity.js';
import { confirmationMail } from '../mail/confirmation.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { mailAtOnce } from '../mail/mailer.js';
import { findMailPerson } from '../mail/person.js';
import { insertIdentity } from '../sign-on/queries.js';
import { requirePassword } from './change-password.js';
import { passwordField } from './fields.js';
import { proveAddress } from './prove-address.js';
import { findUser, requireOpenSession } from './queries.js';
import { takePasswordReset } from './throttle.js';

const linkSeconds = 3600;
/** Longer than a sealed text with an identity of 255 characters. */
const tokenCharactersMax = 4096;

/**
 * Mails a link by which the signed-in person confirms that the address of the account is theirs. Together with the password,
 * which is asked for here, it proves that the account is theirs too.
 */
export const requestAddressConfirmation = sessionProcedure('viewer')
  .input(z.strictObject({ password: passwordField }))
  .mutation(async ({ ctx, input: { password } }) => {
    const { userId, sessionId } = ctx.actor;
    await requirePassword(ctx, userId, { password });
    const user = await findUser(ctx.services.db, userId);
    if (!user) throw refusal('token_invalid');
    await mailConfirmation(ctx, { email: user.email, confirmation: { userId, sessionId } });
    return { mailed: true as const };
  });

/**
 * Mails a link that is valid in one session for an hour. The link is not stored, so the person waits for the mail.
 *
 * @throws ContractError `conflict` if email is not configured, `rate_limited`, `service_unavailable` if the mail was rejected
 */
export async function mailConfirmation(
  ctx: Context,
  { email, confirmation }: { email: string; confirmation: Confirmation },
): Promise<void> {
  const { db, mailer, log, identity, settings } = ctx.services;
  if (!mailer) throw refusal('email_not_configured');
  await takePasswordReset(db, { email, clientAddress: ctx.clientAddress });
  const token = await identity.confirmations.seal(confirmation, linkSeconds);
  const providerName = confirmation.connects && settings.signOn?.name;
  const person = await findMailPerson(db, confirmation.userId);
  const mail = confirmationMail(person, { url: `${settings.baseUrl}/confirm#${token}`, providerName });
  if ((await mailAtOnce({ mailer, log }, { to: email, ...mail })) === 'sent') return;
  throw refusal('email_not_sent', { seconds: 60 });
}

/**
 * Confirms the address of the signed-in person's account by the link that was mailed to it, and connects the identity that the
 * link is about, if any. Nothing is removed: the password was given when the link was asked for.
 */
export const confirmAddress = sessionProcedure('viewer')
  .input(z.strictObject({ token: textField({ min: 1, max: tokenCharactersMax }, 'create-string') }))
  .mutation(async ({ ctx, input: { token } }) => {
    const { db, identity, settings } = ctx.services;
    const { userId, sessionId } = ctx.actor;
    const confirmation = await identity.confirmations.open(token);
    if (confirmation?.userId !== userId || confirmation.sessionId !== sessionId) throw refusal('link_of_other_browser');
    const { connects } = confirmation;
    await db.$transaction(async (tx) => {
      await proveAddress(tx, userId, { keepsAll: true });
      await requireOpenSession(tx, sessionId);
      if (!connects) return;
      if (!(await insertIdentity(tx, userId, connects))) throw refusal('sign_on_connected');
      await notifyOfChange(tx, settings, { userId, change: 'sign_on_connected' });
    });
    return { is_connected: connects !== undefined };
  });
