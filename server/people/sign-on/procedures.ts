import { z } from 'zod';
import type { Context } from '../../context.js';
import { type ContractError, fieldRefusal, refusal } from '../../kernel/errors.js';
import { formatNullableTimestamp } from '../../kernel/time.js';
import { fail } from '../../kernel/validation/failure.js';
import { checkedField, textField } from '../../kernel/validation/fields.js';
import { openProcedure, sessionProcedure } from '../../trpc.js';
import { notifyOfChange } from '../mail/credential-change.js';
import { answerWith, openSession } from '../session/answer.js';
import { passwordField } from '../session/fields.js';
import { invitationTokenField } from '../session/invitation.js';
import { proveAddress } from '../session/prove-address.js';
import { lockPassword } from '../session/queries.js';
import { authenticate } from '../session/sign-in.js';
import { clearSignOn, takeSignOn } from '../session/throttle.js';
import type { Purpose } from './cookie-content.js';
import { connect, mailConnection } from './connect.js';
import { addPending, clearCookie, keepProven, readProven, signOnOf, takePending } from './cookie.js';
import { enterOrganization, enterWith } from './enter.js';
import { disconnectIdentities, findMeans, insertIdentity } from './queries.js';

/** The provider's parameters in the URL; a code can be a token of several thousand characters. */
const queryCharactersMax = 8192;

const returnPathField = checkedField('create-string', (path) => (isAppPath(path) ? path : fail('not_app_path')), {
  type: 'string',
});

const startInput = z.strictObject({
  /** The app's page after the sign-on; its home page by default. */
  return_to: returnPathField.exactOptional(),
  /** The token of an invitation to accept with the sign-on. */
  invitation: invitationTokenField.exactOptional(),
});

/** Begins a sign-on in this browser, to be finished within ten minutes. Returns the address of the provider. */
export const startSignOn = openProcedure.input(startInput).mutation(async ({ ctx, input }) => {
  const { return_to: returnTo = '/', invitation } = input;
  return begin(ctx, { returnTo, ...(invitation !== undefined && { invitation }) });
});

/** Does the same as `startSignOn`, to connect the account of the signed-in user. */
export const connectSignOn = sessionProcedure('viewer')
  .input(z.strictObject({ return_to: returnPathField.exactOptional() }))
  .mutation(({ ctx, input: { return_to: returnTo = '/' } }) => begin(ctx, { returnTo, userId: ctx.actor.userId }));

async function begin(ctx: Context, purpose: Purpose): Promise<{ url: string }> {
  const { url, ...request } = await signOnOf(ctx).provider.begin();
  await addPending(ctx, { ...request, purpose });
  return { url };
}

const finishInput = z.strictObject({
  /** The query of the callback's URL, without the question mark. */
  query: textField({ min: 1, max: queryCharactersMax }, 'create-string'),
});

/**
 * Finishes a sign-on that this browser has begun, once. The result is a session (`entered`), or an account is connected now
 * (`connected`), or it requires the password first (`password_required`): with `can_claim` because nobody has proven its address
 * yet, otherwise because the provider does not confirm its address, and then a mail to it follows.
 */
export const finishSignOn = openProcedure.input(finishInput).mutation(async ({ ctx, input: { query } }) => {
  const { provider } = signOnOf(ctx);
  const pending = await takePending(ctx, new URLSearchParams(query).get('state') ?? '');
  if (!pending) throw refusal('sign_on_over');
  const { db } = ctx.services;
  const { purpose, ...request } = pending;
  await takeSignOn(db, ctx.clientAddress);
  const proof = await provider.finish(query, request);
  const { returnTo: return_to } = purpose;
  const { issuer, subject, name } = proof;
  const asked = async (email: string, isOther: boolean) => {
    await keepProven(ctx, { proof: { issuer, subject, name, email }, isOther, purpose });
    return { kind: 'password_required' as const, email, can_claim: !isOther, return_to };
  };
  if (purpose.userId !== undefined) {
    const connection = await connect(ctx, proof, purpose.userId);
    await clearSignOn(db, ctx.clientAddress);
    if (connection.kind === 'connected') return { kind: 'connected' as const, return_to };
    return asked(connection.email, connection.isOther);
  }
  const outcome = await enterWith({ ctx, proof, purpose });
  await clearSignOn(db, ctx.clientAddress);
  if (outcome.kind === 'password_required') return asked(outcome.email, false);
  return { kind: outcome.kind, ...(await answerWith(ctx, outcome.session)), return_to };
});

const confirmInput = z.strictObject({
  /** Missing if the person claims an account that somebody else made with their address. */
  password: passwordField.exactOptional(),
});

/**
 * Connects the account of a finished sign-on after checking its password, and opens a session (`entered`). Attempts at
 * the password are limited like attempts to sign in. Without a password the person claims the account: it is theirs,
 * and all that was made before is removed. If the provider does not confirm the address of the account, a link is
 * mailed to it instead (`mailed`).
 */
export const confirmSignOn = openProcedure.input(confirmInput).mutation(async ({ ctx, input: { password } }) => {
  const kept = await readProven(ctx);
  if (!kept) throw refusal('sign_on_over');
  const { isOther, purpose } = kept;
  const { returnTo: return_to } = purpose;
  const proof = { ...kept.proof, isEmailVerified: !isOther };
  if (isOther) {
    if (password === undefined) throw missingPassword();
    await mailConnection(ctx, kept, password);
    clearCookie(ctx);
    return { kind: 'mailed' as const, email: proof.email, return_to };
  }
  if (password === undefined) {
    const outcome = await enterWith({ ctx, proof, purpose, claims: true });
    // With `claims` no password is required, so this does not happen.
    if (outcome.kind === 'password_required') throw missingPassword();
    clearCookie(ctx);
    return { kind: 'entered' as const, ...(await answerWith(ctx, outcome.session)), return_to };
  }
  const { db, settings } = ctx.services;
  const user = await authenticate(ctx, { email: proof.email, password });
  if (!user) throw refusal('credentials_wrong');
  const session = await db.$transaction(async (tx) => {
    await proveAddress(tx, user.id, { keepsAll: true });
    if (!(await lockPassword(tx, user.id, user.password_hash))) throw refusal('credentials_wrong');
    if (!(await insertIdentity(tx, user.id, proof))) throw refusal('sign_on_connected');
    await notifyOfChange(tx, settings, { userId: user.id, change: 'sign_on_connected' });
    return openSession(tx, ctx, { user, organization: await enterOrganization(tx, user, { purpose, proof }) });
  });
  clearCookie(ctx);
  return { kind: 'entered' as const, ...(await answerWith(ctx, session)), return_to };
});

function missingPassword(): ContractError {
  return fieldRefusal('password', 'required');
}

/** Returns how the user signs in: with a password, by single sign-on, or both. */
export const signInMeans = sessionProcedure('viewer').query(async ({ ctx }) => {
  const { db, settings } = ctx.services;
  const means = await findMeans(db, ctx.actor.userId);
  if (!means) throw refusal('token_invalid');
  return {
    has_password: means.has_password,
    is_email_proven: means.is_email_proven,
    /** Whether the address can be confirmed by email. */
    can_confirm_email: settings.mail !== undefined,
    sign_on: settings.signOn ? { name: settings.signOn.name } : null,
    connected_at: formatNullableTimestamp(means.connected_at),
  };
});

/** Disconnects the account of a user, who must have a password. Sessions continue. */
export const disconnectSignOn = sessionProcedure('viewer').mutation(async ({ ctx }) => {
  const { db, settings } = ctx.services;
  const { userId } = ctx.actor;
  await db.$transaction(async (tx) => {
    const removed = await disconnectIdentities(tx, userId, { keepsLastMeans: true });
    const means = await findMeans(tx, userId);
    if (removed > 0) await notifyOfChange(tx, settings, { userId, change: 'sign_on_disconnected' });
    else if (means?.has_password === false) throw refusal('password_needed');
  });
  return { disconnected: true as const };
});

const pathCharactersMax = 512;
const anyOrigin = 'https://app.invalid';

/**
 * Returns whether a text is a path of the app, with optional query and fragment, that no browser can interpret as an
 * address elsewhere: `//host`, `/\\host` and control characters are rejected.
 */
export function isAppPath(text: string): boolean {
  if (text.length > pathCharactersMax || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(text)) return false;
  return URL.canParse(text, anyOrigin) && new URL(text, anyOrigin).origin === anyOrigin;
}
