import type { Context } from '../../context.js';
import { refusal } from '../../kernel/errors.js';
import type { CookieContent, Pending, Proven } from './cookie-content.js';

/** The time limit at the provider, and then for the password. */
const cookieSeconds = 600;
/** Sign-ons in progress in one browser, in several tabs; the oldest one is dropped. */
const pendingMax = 3;
/** Browsers keep 4,096 bytes of name and value. */
const cookieCharactersMax = 4000;

/** Remembers a sign-on in the browser that began it. */
export async function addPending(ctx: Context, pending: Pending): Promise<void> {
  const { pending: others } = await readCookie(ctx);
  await writeCookie(ctx, { pending: [pending, ...others].slice(0, pendingMax) });
}

/** Returns the sign-on with this state and removes it, so that it can be finished only once. */
export async function takePending(ctx: Context, state: string): Promise<Pending | undefined> {
  const { pending } = await readCookie(ctx);
  await writeCookie(ctx, { pending: pending.filter((one) => one.state !== state) });
  return pending.find((one) => one.state === state);
}

/** Stores the confirmed person until they enter the password of their account. */
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

/** Keeps the newest sign-ons that fit, because browsers silently drop a cookie that is too large. */
async function writeCookie(ctx: Context, { pending }: CookieContent): Promise<void> {
  const { cookies, cookie } = signOnOf(ctx);
  for (let count = pending.length; count > 0; count -= 1) {
    const text = await cookies.seal({ pending: pending.slice(0, count) }, cookieSeconds);
    if (text.length > cookieCharactersMax && count > 1) continue;
    cookie.write(text, cookieSeconds);
    return;
  }
  cookie.clear();
}

/** @throws ContractError `conflict` if single sign-on is not configured, `bad_request` for clients without cookies */
export function signOnOf(ctx: Context) {
  const { signOn } = ctx.services;
  if (!signOn) throw refusal('sign_on_not_configured');
  if (!ctx.signOnCookie) throw refusal('sign_on_needs_cookies');
  return { ...signOn, cookie: ctx.signOnCookie };
}
