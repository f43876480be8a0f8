import type { Context } from '../../context.js';
import { refusal } from '../../kernel/errors.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { requirePassword } from '../session/change-password.js';
import { mailConfirmation } from '../session/confirm-address.js';
import { requireOpenSession } from '../session/queries.js';
import type { Proven } from './cookie-content.js';
import type { Proof } from './proof.js';
import { findOwnAccount, insertIdentity } from './queries.js';

export type Connection =
  | { kind: 'connected' }
  /** `isOther` if the provider does not confirm the address of the account. */
  | { kind: 'password_required'; email: string; isOther: boolean };

/**
 * Connects the account of the session that began the sign-on, if its address is proven and the provider confirms it.
 * Otherwise somebody who found an open session, or made the account with another person's address, could use an
 * identity to get into the account.
 */
export async function connect(ctx: Context, proof: Proof, userId: number): Promise<Connection> {
  const sessionId = requireSessionOf(ctx, userId);
  const { db, settings } = ctx.services;
  return db.$transaction(async (tx): Promise<Connection> => {
    const { email, is_proven: isProven } = await findOwnAccount(tx, userId);
    await requireOpenSession(tx, sessionId);
    const isOther = !proof.isEmailVerified || proof.email !== email;
    if (isOther && !settings.mail) throw refusal('sign_on_address_differs');
    if (isOther || !isProven) return { kind: 'password_required', email, isOther };
    if (!(await insertIdentity(tx, userId, proof))) throw refusal('sign_on_connected');
    await notifyOfChange(tx, settings, { userId, change: 'sign_on_connected' });
    return { kind: 'connected' };
  });
}

/** Mails the link that connects an account whose address the provider does not confirm, after checking the password. */
export async function mailConnection(ctx: Context, { proof, purpose }: Proven, password: string): Promise<void> {
  const { userId } = purpose;
  if (userId === undefined) throw refusal('sign_on_over');
  const sessionId = requireSessionOf(ctx, userId);
  await requirePassword(ctx, userId, { password });
  const { issuer, subject, email } = proof;
  await mailConfirmation(ctx, { email, confirmation: { userId, sessionId, connects: { issuer, subject } } });
}

function requireSessionOf({ actor }: Context, userId: number): string {
  if (actor.kind !== 'session' || actor.userId !== userId) throw refusal('sign_on_over');
  return actor.sessionId;
}
