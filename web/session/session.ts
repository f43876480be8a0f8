import { isOffline, problemOf, UnreachableError } from '../api/errors.js';
import type { Api, Outputs, TokenSource } from '../api/trpc.js';
import { forgetIdentity, type Identity, rememberedIdentity, rememberIdentity } from './identity.js';

export type SessionState =
  /** Not asked yet. */
  | { status: 'starting' }
  | { status: 'signed-out' }
  | ({ status: 'signed-in' } & Identity)
  /** It ended while the app was open: the person signs in again without losing the page. */
  | ({ status: 'ended' } & Identity)
  /** The service cannot be reached; who was here last is known, what they may see is not. */
  | { status: 'unreachable'; last: Identity | undefined };

type Answer = Outputs['session']['signIn'];

export type Session = TokenSource & {
  /** The client for people who are not signed in. */
  readonly openApi: Api;
  state(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Asks the service who this is; the app's first act, and its way back after it could not be reached. */
  start(): Promise<void>;
  /** Takes over what signing in, signing up, joining or switching answered. */
  enter(answer: Answer): void;
  /** Ends the session here, or with `everywhere` on all devices. */
  signOut(options?: { everywhere?: boolean }): Promise<void>;
};

export type SessionOptions = {
  openApi: Api;
  /** Called before another person or organization is shown. */
  onIdentityChange(): void;
};

/** A token is renewed this long before its end, so that no request is refused for it. */
const renewEarlyMs = 60_000;
/** All attempts together end well within the 60 seconds in which an answer can be asked for again. */
const refreshAttempts = 3;
const refreshTimeoutMs = 8000;
const refreshPauseMs = 500;
const channelName = 'whereabouts-session';
const lockName = 'whereabouts-session-renewal';

type Token = { text: string; goodUntilMs: number };

/** Times its life by the clock of this machine alone, which may be hours off the service's. */
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

  function enter({ user, organization, token: text }: Answer): void {
    token = readToken(text);
    const identity = { user, organization };
    rememberIdentity(identity);
    if (state.status !== 'signed-in' || !isSame(state, identity)) become({ status: 'signed-in', ...identity });
  }

  function end(): void {
    token = undefined;
    const last = identityOf(state);
    if (last) {
      if (state.status !== 'ended') become({ status: 'ended', ...last });
      return;
    }
    forgetIdentity();
    become({ status: 'signed-out' });
  }

  /**
   * Renews the session by its cookie. An answer that was lost, or does not come, is asked for again: the service gives the
   * same one for 60 seconds.
   */
  async function refresh(): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const signal = AbortSignal.timeout(refreshTimeoutMs);
        return await openApi.session.refresh.mutate(undefined, { signal });
      } catch (error) {
        if (attempt === refreshAttempts || !navigator.onLine || !isOffline(error)) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, refreshPauseMs));
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

  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (data === 'signed-out') leave();
    // The cookie is another person's or organization's now; this tab follows, as its own renewal would.
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
      // Nobody was ever here, so there is no cookie to ask with.
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
    async signOut({ everywhere = false } = {}) {
      await signOutWith(await goodToken(), everywhere);
      leave();
      channel.postMessage('signed-out');
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
  // Browsers offer locks to secure addresses alone; without them the service asks the second tab to try again.
  if (!('locks' in navigator)) return work();
  return navigator.locks.request(lockName, work);
}
