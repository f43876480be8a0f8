import { isOffline, problemOf, UnreachableError } from '../api/errors.js';
import type { Api, Outputs, TokenSource } from '../api/trpc.js';
import { secureOnly } from '../browser/secure-context.js';
import { forgetIdentity, type Identity, rememberedIdentity, rememberIdentity } from './identity.js';

export type SessionState =
  /** The service has not answered yet. */
  | { status: 'starting' }
  | { status: 'signed-out' }
  | ({
      status: 'signed-in';
      /** Whether the person has to choose about organizations from before the proof of the address, before anything else. */
      hasEarlierMemberships: boolean;
    } & Identity)
  /** The session ended while the app was open. The person can sign in again without losing the page. */
  | ({ status: 'ended' } & Identity)
  /** The service cannot be reached. The last person is known, but not what they may see. */
  | { status: 'unreachable'; last: Identity | undefined };

type Answer = Outputs['session']['signIn'];

export type Session = TokenSource & {
  /** The client for people who are not signed in. */
  readonly openApi: Api;
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /**
   * Asks the service who is signed in. Called when the app starts, and again after the service could not be reached.
   */
  start(): Promise<void>;
  /** Takes over the answer of signing in, signing up, joining or switching. */
  enter(answer: Answer): void;
  /** Signs out of a session that the service has ended. */
  forget(): void;
  /** Ends the session here, or with `everywhere` on all devices. */
  signOut(options?: { everywhere?: boolean }): Promise<void>;
};

export type SessionOptions = {
  openApi: Api;
  /** Called before another person or organization is shown. */
  onIdentityChange(): void;
};

/** A token is renewed this long before it expires, so that no request is refused. */
const renewEarlyMs = 60_000;
/** All attempts together end well within the 60 seconds in which the service repeats an answer. */
const refreshAttempts = 3;
const refreshTimeoutMs = 8000;
const refreshPauseMs = 500;
const channelName = 'whereabouts-session';
const lockName = 'whereabouts-session-renewal';

type Token = { text: string; goodUntilMs: number };

/** Measures the lifetime only with the clock of this machine, which may be hours off the service's clock. */
function readToken(text: string): Token {
  const payload = text.split('.')[1] ?? '';
  const claims = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { iat: number; exp: number };
  return { text, goodUntilMs: performance.now() + (claims.exp - claims.iat) * 1000 - renewEarlyMs };
}

/** Returns the session of this tab: the access token in memory, renewed by the cookie that scripts cannot see. */
export function createSession({ openApi, onIdentityChange }: SessionOptions): Session {
  let state: SessionState = { status: 'starting' };
  let token: Token | undefined;
  let renewing: Promise<void> | undefined;
  const listeners = new Set<() => void>();
  const channel = new BroadcastChannel(channelName);

  function become(next: SessionState): void {
    const before = identityOf(state);
    const after = identityOf(next);
    if (before && (before.user.id !== after?.user.id || before.organization.id !== after.organization.id)) {
      onIdentityChange();
    }
    state = next;
    for (const listener of listeners) listener();
  }

  function enter({ user, organization, token: text, has_earlier_memberships: hasEarlierMemberships }: Answer): void {
    token = readToken(text);
    const identity = { user, organization };
    rememberIdentity(identity);
    const isKnown =
      state.status === 'signed-in' && isSame(state, identity) && state.hasEarlierMemberships === hasEarlierMemberships;
    if (!isKnown) become({ status: 'signed-in', hasEarlierMemberships, ...identity });
  }

  function end(): void {
    token = undefined;
    const last = identityOf(state);
    const isChoosing = state.status === 'signed-in' && state.hasEarlierMemberships;
    if (last && !isChoosing) {
      if (state.status !== 'ended') become({ status: 'ended', ...last });
      return;
    }
    forgetIdentity();
    become({ status: 'signed-out' });
  }

  /**
   * Renews the session with its cookie. If the answer is lost or does not come, or the service is busy with the renewal
   * of another tab, requests it again: the service repeats the same answer for 60 seconds.
   */
  async function refresh(): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signal = AbortSignal.timeout(refreshTimeoutMs);
        return await openApi.session.refresh.mutate(undefined, { signal });
      } catch (error) {
        const canPass = isOffline(error) || problemOf(error).type === 'service_unavailable';
        if (attempt === refreshAttempts || !navigator.onLine || !canPass) throw error;
      }
      // Tabs that were opened together must not try again together.
      await new Promise((resolve) => setTimeout(resolve, refreshPauseMs * (0.5 + Math.random())));
    }
  }

  async function renewOnce(): Promise<void> {
    try {
      enter(await oneTabAtATime(refresh));
    } catch (error) {
      if (problemOf(error).type === 'unauthorized') {
        end();
        throw error;
      }
      if (state.status === 'starting') become({ status: 'unreachable', last: rememberedIdentity() });
      throw new UnreachableError('The session could not be renewed', { cause: error });
    }
  }

  function renew(): Promise<void> {
    renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    });
    return renewing;
  }

  async function goodToken(): Promise<string> {
    if (!token || performance.now() > token.goodUntilMs) await renew();
    if (!token) throw new UnreachableError('There is no session');
    return token.text;
  }

  function leave(): void {
    token = undefined;
    forgetIdentity();
    become({ status: 'signed-out' });
  }

  function forget(): void {
    leave();
    channel.postMessage('signed-out');
  }

  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-out') leave();
    // The cookie belongs to another person or organization now. This tab follows, as with its own renewal.
    if (data === 'changed') void renew().catch(() => {});
  });

  return {
    openApi,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async start() {
      // Nobody has signed in on this device, so there is no cookie.
      if (!rememberedIdentity()) become({ status: 'signed-out' });
      else await renew().catch(() => {});
    },
    enter(answer) {
      enter(answer);
      channel.postMessage('changed');
    },
    token: goodToken,
    dropToken() {
      token = undefined;
    },
    forget,
    async signOut({ everywhere = false } = {}) {
      await signOutWith(await goodToken(), everywhere);
      forget();
    },
  };
}

function identityOf(state: SessionState): Identity | undefined {
  if (state.status !== 'signed-in' && state.status !== 'ended') return undefined;
  return { user: state.user, organization: state.organization };
}

function isSame(one: Identity, other: Identity): boolean {
  return (
    one.user.id === other.user.id &&
    one.user.name === other.user.name &&
    one.organization.id === other.organization.id &&
    one.organization.name === other.organization.name &&
    one.organization.role === other.organization.role
  );
}

async function signOutWith(bearer: string, everywhere: boolean): Promise<void> {
  const answer = await fetch('/trpc/session.signOut', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${bearer}` },
    body: JSON.stringify({ everywhere }),
  });
  if (!answer.ok && answer.status !== 401) throw new UnreachableError('Signing out did not reach the service');
}

async function oneTabAtATime<Result>(work: () => Promise<Result>): Promise<Result> {
  // Browsers offer locks only to secure addresses. Without locks the service makes the second tab try again.
  const { locks } = secureOnly;
  if (!locks) return work();
  return locks.request(lockName, work);
}
