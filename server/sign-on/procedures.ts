import { z } from 'zod';
import type { Context } from '../context.js';
import { ContractError } from '../errors.js';
import { answerWith, openSession } from '../session/answer.js';
import { passwordField } from '../session/fields.js';
import { invitationTokenField } from '../session/invitation.js';
import { lockPassword } from '../session/queries.js';
import { authenticate, wrongCredentials } from '../session/sign-in.js';
import { attemptOf, clearSignIn, clearSignOn, takeSignIn, takeSignOn } from '../session/throttle.js';
import { formatNullableTimestamp } from '../time.js';
import { openProcedure, sessionProcedure } from '../trpc.js';
import { fail, field } from '../validation/failure.js';
import { missing, textField, wrongType } from '../validation/fields.js';
import { addPending, clearCookie, keepProven, readProven, signOnOf, takePending } from './cookie.js';
import type { Purpose } from './cookie-content.js';
import { enterOrganization, enterWith } from './enter.js';
import type { Proof } from './proof.js';
import { deleteIdentities, findMeans, insertIdentity } from './queries.js';
import { isAppPath } from './return-path.js';

/** The provider's parameters in the URL; a code can be a token of several thousand characters. */
const queryCharactersMax = 8192;

const returnPathField = field<string>(
  (value) => {
    if (value === undefined) return missing;
    if (typeof value !== 'string') return wrongType('string', value);
    return isAppPath(value) ? value : fail('invalid_value', '{f} must be a path of the app');
  },
  { type: 'string' },
);

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
 * Finishes a sign-on that this browser has begun, once. The result is a session (`entered`), or requires the password
 * of an account with the same address (`password_required`), or the account is connected now (`connected`).
 */
export const finishSignOn = openProcedure.input(finishInput).mutation(async ({ ctx, input: { query } }) => {
  const { provider } = signOnOf(ctx);
  const pending = await takePending(ctx, new URLSearchParams(query).get('state') ?? '');
  if (!pending) throw new ContractError('forbidden', overDetail);
  const { db } = ctx.services;
  const { purpose, ...request } = pending;
  await takeSignOn(db, ctx.clientAddress);
  const proof = await provider.finish(query, request);
  const { returnTo: return_to } = purpose;
  if (purpose.userId !== undefined) {
    await connect(ctx, proof, purpose.userId);
    await clearSignOn(db, ctx.clientAddress);
    return { kind: 'connected' as const, return_to };
  }
  const outcome = await enterWith(ctx, proof, purpose);
  await clearSignOn(db, ctx.clientAddress);
  if (outcome.kind === 'password_required') {
    const { email } = outcome;
    const { issuer, subject } = proof;
    await keepProven(ctx, { proof: { issuer, subject, email }, purpose });
    return { kind: outcome.kind, email, return_to };
  }
  return { kind: outcome.kind, ...(await answerWith(ctx, outcome.session)), return_to };
});

const overDetail = 'This sign-in has expired, or it was started in another browser. Start again';

/** Connects the account of the session that began it. */
async function connect(ctx: Context, proof: Proof, userId: number): Promise<void> {
  if (ctx.actor.kind !== 'session' || ctx.actor.userId !== userId) throw new ContractError('forbidden', overDetail);
  const isDone = await ctx.services.db.$transaction((tx) => insertIdentity(tx, userId, proof));
  if (!isDone) throw new ContractError('conflict', 'This sign-on is connected to an account already');
}

/**
 * Connects the account that has the address of a finished sign-on after checking its password, and opens a session.
 * Attempts at the password are limited like those at signing in.
 */
export const confirmSignOn = openProcedure
  .input(z.strictObject({ password: passwordField }))
  .mutation(async ({ ctx, input: { password } }) => {
    const { db } = ctx.services;
    const proven = await readProven(ctx);
    if (!proven) throw new ContractError('forbidden', overDetail);
    const { proof, purpose } = proven;
    const attempt = attemptOf(ctx, proof.email);
    await takeSignIn(db, attempt);
    const user = await authenticate(ctx, attempt, password);
    await clearSignIn(db, attempt);
    const session = await db.$transaction(async (tx) => {
      if (!(await lockPassword(tx, user.id, user.password_hash))) throw wrongCredentials();
      if (!(await insertIdentity(tx, user.id, proof))) {
        throw new ContractError('conflict', 'This sign-on is connected to an account already');
      }
      return openSession(tx, ctx, { user, organization: await enterOrganization(tx, user, purpose) });
    });
    clearCookie(ctx);
    return { ...(await answerWith(ctx, session)), return_to: purpose.returnTo };
  });

/** Returns how the user signs in: with a password, by single sign-on, or both. */
export const signInMeans = sessionProcedure('viewer').query(async ({ ctx }) => {
  const { db, settings } = ctx.services;
  const means = await findMeans(db, ctx.actor.userId);
  if (!means) throw new ContractError('unauthorized', 'Invalid or expired token');
  return {
    has_password: means.has_password,
    sign_on: settings.signOn ? { name: settings.signOn.name } : null,
    connected_at: formatNullableTimestamp(means.connected_at),
  };
});

/** Disconnects the account of a user, who must have a password. Sessions continue. */
export const disconnectSignOn = sessionProcedure('viewer').mutation(async ({ ctx }) => {
  const { db } = ctx.services;
  const { userId } = ctx.actor;
  const removed = await deleteIdentities(db, userId);
  const means = await findMeans(db, userId);
  if (removed === 0 && means?.has_password === false) {
    throw new ContractError('conflict', 'Set a password first; otherwise you could not sign in');
  }
  return { disconnected: true as const };
});
