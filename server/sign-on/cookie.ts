import type { AuthSecret } from '../auth/secrets.js';
import { createSealedValues, type SealedValues } from '../auth/sealed-values.js';
import type { Context } from '../context.js';
import { ContractError } from '../errors.js';
import type { Proof } from './proof.js';
import type { Request } from './provider.js';

/** How long a person may take at the provider, and then for the password. */
const cookieSeconds = 600;
/** Sign-ons that one browser can have under way, in several tabs; the oldest one is forgotten. */
const pendingMax = 3;

/** What a sign-on is for, as it was asked for when it began. */
export type Purpose = {
  /** A path of the app. */
  returnTo: string;
  /** Of an invitation to accept. */
  invitation?: string;
  /** The person who connects their account; absent for people who sign in. */
  userId?: number;
};

/** A sign-on that was begun. */
export type Pending = Request & { purpose: Purpose };

/** Somebody whom the provider has confirmed, and whose account asks for its password before it is connected. */
export type Proven = { proof: Proof & { email: string }; purpose: Purpose };

/** What a browser keeps of its sign-ons, in a cookie that it cannot read. */
export type CookieContent = { pending: readonly Pending[]; proven?: Proven };

export function createCookieValues(secrets: readonly [AuthSecret, ...AuthSecret[]]): SealedValues<CookieContent> {
  return createSealedValues({ secrets, purpose: 'single sign-on' });
}

/** Remembers a sign-on in the browser that began it. */
export async function addPending(ctx: Context, pending: Pending): Promise<void> {
  const { pending: others } = await readCookie(ctx);
  await writeCookie(ctx, { pending: [pending, ...others].slice(0, pendingMax) });
}

/** Returns the sign-on with this state and forgets it, so that it can be finished once. */
export async function takePending(ctx: Context, state: string): Promise<Pending | undefined> {
  const { pending } = await readCookie(ctx);
  await writeCookie(ctx, { pending: pending.filter((one) => one.state !== state) });
  return pending.find((one) => one.state === state);
}

/** Remembers whom the provider has confirmed, until they give the password of their account. */
export async function keepProven(ctx: Context, proven: Proven): Promise<void> {
  const { cookies, cookie } = signOnOf(ctx);
  cookie.write(await cookies.seal({ pending: [], proven }, cookieSeconds), cookieSeconds);
}

export async function readProven(ctx: Context): Promise<Proven | undefined> {
  return (await readCookie(ctx)).proven;
}

export function clearCookie(ctx: Context): void {
  signOnOf(ctx).cookie.clear();
}

async function readCookie(ctx: Context): Promise<CookieContent> {
  const { cookies, cookie } = signOnOf(ctx);
  return (await cookies.open(cookie.read())) ?? { pending: [] };
}

async function writeCookie(ctx: Context, content: CookieContent): Promise<void> {
  const { cookies, cookie } = signOnOf(ctx);
  if (content.pending.length === 0) cookie.clear();
  else cookie.write(await cookies.seal(content, cookieSeconds), cookieSeconds);
}

/** @throws ContractError `conflict` where single sign-on is not configured, `bad_request` for clients without cookies */
export function signOnOf(ctx: Context) {
  const { signOn } = ctx.services;
  if (!signOn) throw new ContractError('conflict', 'Single sign-on is not configured on this server');
  if (!ctx.signOnCookie) throw new ContractError('bad_request', 'Single sign-on needs a browser with cookies');
  return { ...signOn, cookie: ctx.signOnCookie };
}
