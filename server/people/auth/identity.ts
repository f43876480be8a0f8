import { LRUCache } from 'lru-cache';
import type { Actor } from '../actor.js';
import type { Database } from '../../kernel/database/client.js';
import { ContractError, refusal } from '../../kernel/errors.js';
import type { Log } from '../../kernel/log.js';
import { createSharedAnswers } from '../../kernel/shared-answers.js';
import { createDevices, type Devices } from './devices.js';
import { createLastUse } from './last-use.js';
import { createPasswords, type Passwords } from './passwords.js';
import { findApiKey, findHoldingSessions } from './queries.js';
import { createRefreshTokens, type RefreshTokens } from './refresh-tokens.js';
import { type Scope, scopes, scopesOfRole } from './scopes.js';
import { createSealedValues, type SealedValues } from './sealed-values.js';
import { parseAuthSecrets } from './secrets.js';
import { type Claims, createTokens, type Tokens } from './tokens.js';

/**
 * A revocation in another process takes effect within a second: the maximum age of a row plus the time of a request.
 */
const rowAgeMsMax = 900;
const tokensRememberedMax = 10_000;

/** What a mailed link confirms, in the session that requested it. */
export type Confirmation = {
  userId: number;
  sessionId: string;
  /** An identity at a provider to connect. */
  connects?: { issuer: string; subject: string };
};

/** Identifies the holders of tokens, and signs new ones. */
export type Identity = Pick<Tokens, 'signApiKey' | 'signSession'> & {
  /**
   * Returns the key or session of a bearer token. A token that was seen before costs no signature check, and its row is
   * read at most once in 900 ms.
   *
   * @throws ContractError `unauthorized` (contract 6.4); a fault of the database is thrown as it is
   */
  identify(token: string): Promise<Actor>;
  /** Makes a revocation effective from the next request on. */
  forgetApiKey(keyId: string): void;
  /** Does the same as `forgetApiKey` for ended sessions and changed roles. */
  forgetSessions(): void;
  passwords: Passwords;
  devices: Devices;
  refreshTokens: RefreshTokens;
  confirmations: SealedValues<Confirmation>;
  /** Resolves once no work is in progress. */
  stop(): Promise<void>;
};

export type IdentityOptions = {
  db: Database;
  log: Pick<Log, 'warn'>;
  /** `authSecret`: one secret or several separated by commas; the first signs, all verify. */
  settings: { authSecret: string; environment: string };
  /** The wall clock, in epoch milliseconds. */
  now?: () => number;
  /** A monotonic clock, in milliseconds. */
  elapsedMs?: () => number;
};

type SessionClaims = Extract<Claims, { kind: 'session' }>;

/** What is the same for all tokens of a session in one organization. */
type KnownSession = Omit<Extract<Actor, { kind: 'session' }>, 'expiresAtMs'>;

/** A prepared row of a key: the actor, and what can invalidate it. */
type KnownKey = { actor: Actor; isRevoked: boolean; expiresAtMs: number | null };

/** @throws StartError if a secret is too short */
export function createIdentity(options: IdentityOptions): Identity {
  const { db, log, settings, now = Date.now, elapsedMs = () => performance.now() } = options;
  const secrets = parseAuthSecrets(settings.authSecret);
  const tokens = createTokens({ secrets, environment: settings.environment, now });
  const verified = new LRUCache<string, Claims>({ max: tokensRememberedMax });
  const bounds = { keptMs: rowAgeMsMax, entriesMax: tokensRememberedMax, elapsedMs };
  const keys = createSharedAnswers<KnownKey | undefined>(bounds);
  const sessions = createSharedAnswers<KnownSession | undefined>(bounds);
  const lastUse = createLastUse({ db, log });

  async function verify(token: string): Promise<Claims> {
    const claims = await tokens.verify(token);
    if (!claims) throw refusal('token_invalid');
    verified.set(token, claims);
    return claims;
  }

  async function readKey(keyId: string): Promise<KnownKey | undefined> {
    const row = await findApiKey(db, keyId);
    if (!row) return undefined;
    const expired = row.expires_at !== null && row.expires_at <= now();
    if (row.is_use_due && !row.is_revoked && !expired) lastUse.note(keyId);
    // Nothing is accessible in a deleted organization.
    const granted = row.org_id === null ? [] : scopes.filter((scope) => row.scopes.includes(scope));
    const actor: Actor = { kind: 'key', keyId, orgId: row.org_id, scopes: new Set<Scope>(granted) };
    return { actor, isRevoked: row.is_revoked, expiresAtMs: row.expires_at };
  }

  async function identifyKey(keyId: string): Promise<Actor> {
    const key = await keys.get(keyId, () => readKey(keyId));
    if (!key) throw refusal('token_invalid');
    if (key.isRevoked) throw new ContractError('unauthorized', 'API key has been revoked');
    if (key.expiresAtMs !== null && key.expiresAtMs <= now()) {
      throw new ContractError('unauthorized', 'API key has expired');
    }
    return key.actor;
  }

  async function readSession(claims: SessionClaims): Promise<KnownSession | undefined> {
    const { sessionId, userId, orgId } = claims;
    const role = (await findHoldingSessions(db, [claims])).get(claims);
    return role && { kind: 'session', sessionId, userId, orgId, role, scopes: scopesOfRole[role] };
  }

  async function identifySession(claims: SessionClaims): Promise<Actor> {
    if (claims.expiresAtMs <= now()) throw refusal('token_invalid');
    const { sessionId, userId, orgId, expiresAtMs } = claims;
    const session = await sessions.get(`${sessionId} ${userId} ${orgId}`, () => readSession(claims));
    if (!session) throw refusal('token_invalid');
    return { ...session, expiresAtMs };
  }

  return {
    signApiKey: tokens.signApiKey,
    signSession: tokens.signSession,
    async identify(token) {
      const claims = verified.get(token) ?? (await verify(token));
      return claims.kind === 'key' ? identifyKey(claims.keyId) : identifySession(claims);
    },
    forgetApiKey: keys.forget,
    forgetSessions: sessions.forgetAll,
    passwords: createPasswords(),
    devices: createDevices(secrets),
    refreshTokens: createRefreshTokens(secrets),
    confirmations: createSealedValues({ secrets, purpose: 'confirmation of an address' }),
    stop: lastUse.settled,
  };
}
