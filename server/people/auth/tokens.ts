import { compactVerify, errors, SignJWT } from 'jose';
import type { AuthSecret } from './secrets.js';

const issuer = 'whereabouts';
const algorithm = 'HS256';
const tokenCharactersMax = 2048;
/** The maximum difference between the clocks of two processes. */
const clockSkewMs = 5000;

/** The lifetime of a session's access token; after that the refresh token gets the next one. */
export const sessionTokenSeconds = 15 * 60;

/**
 * A compact JWS whose signature of 32 bytes is in canonical encoding, so that two different texts are never the same
 * token.
 */
const tokenShape = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/;
const headerNames: ReadonlySet<string> = new Set(['alg', 'kid', 'typ']);
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

type Kind = 'api-key' | 'session';

/** The claims of a token whose signature, issuer and audience are valid. Whether it was revoked is in the database. */
export type Claims =
  | { kind: 'key'; keyId: string }
  | { kind: 'session'; sessionId: string; userId: number; orgId: number; expiresAtMs: number };

export type Tokens = {
  /** Signs the token of an API key. It has `exp` only if the key expires, and only to inform clients. */
  signApiKey(key: { id: string; expiresAtMs: number | null }): Promise<string>;
  /** Signs an access token of a session in one organization, for 15 minutes. */
  signSession(session: { id: string; userId: number; orgId: number }): Promise<string>;
  /** Returns undefined for anything that this deployment and environment did not sign as one of the two kinds. */
  verify(token: string): Promise<Claims | undefined>;
};

export type TokenOptions = {
  secrets: readonly [AuthSecret, ...AuthSecret[]];
  environment: string;
  /** Epoch milliseconds. */
  now: () => number;
};

/**
 * Signs and verifies the two kinds of JWT. The algorithm is pinned, and a header with anything beyond `alg`, `kid` and
 * `typ` is rejected, so no token can bring its own key. The audience contains the environment and the kind, so a token
 * of another environment or kind is never accepted, even with the same secret (contract 6.1).
 */
export function createTokens({ secrets, environment, now }: TokenOptions): Tokens {
  const [signing] = secrets;
  const byKid = new Map(secrets.map((secret) => [secret.kid, secret.bytes]));

  function draft(kind: Kind, subject: string, more: Record<string, unknown> = {}): SignJWT {
    return new SignJWT(more)
      .setProtectedHeader({ alg: algorithm, kid: signing.kid, typ: 'JWT' })
      .setIssuer(issuer)
      .setAudience([environment, kind])
      .setSubject(subject)
      .setIssuedAt(Math.floor(now() / 1000));
  }

  function keyFor(header: object & { kid?: string; typ?: string }): Uint8Array {
    const bytes = byKid.get(header.kid ?? '');
    const expected = header.typ === 'JWT' && Object.keys(header).every((name) => headerNames.has(name));
    if (!bytes || !expected) throw new errors.JWSInvalid('not a header of this service');
    return bytes;
  }

  return {
    signApiKey({ id, expiresAtMs }) {
      const token = draft('api-key', id);
      if (expiresAtMs !== null) token.setExpirationTime(Math.ceil(expiresAtMs / 1000));
      return token.sign(signing.bytes);
    },

    signSession({ id, userId, orgId }) {
      const token = draft('session', String(userId), { sid: id, org: orgId });
      return token.setExpirationTime(Math.floor(now() / 1000) + sessionTokenSeconds).sign(signing.bytes);
    },

    async verify(token) {
      if (token.length > tokenCharactersMax || !tokenShape.test(token)) return undefined;
      try {
        const { payload } = await compactVerify(token, keyFor, { algorithms: [algorithm] });
        const claims: unknown = JSON.parse(new TextDecoder().decode(payload));
        return hasPlainHeader(token) && isValidAt(claims, now()) ? claimsOf(claims, environment) : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError || error instanceof SyntaxError) return undefined;
        throw error;
      }
    },
  };
}

/**
 * Returns whether the header is exactly as this service writes it, without white space, escapes or duplicate members;
 * parsers disagree about which of two members counts.
 */
function hasPlainHeader(token: string): boolean {
  const text = Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString();
  return JSON.stringify(JSON.parse(text)) === text;
}

/** Returns whether `nbf` and `iat`, if present, are not in the future (RFC 7519, 4.1.5 and 4.1.6). */
function isValidAt(payload: unknown, nowMs: number): boolean {
  const { nbf, iat } = (payload ?? {}) as Record<string, unknown>;
  return [nbf, iat].every(
    (instant) => instant === undefined || (Number.isFinite(instant) && Number(instant) * 1000 <= nowMs + clockSkewMs),
  );
}

function claimsOf(payload: unknown, environment: string): Claims | undefined {
  if (typeof payload !== 'object' || payload === null) return undefined;
  const { iss, aud, sub, sid, org, exp } = payload as Record<string, unknown>;
  if (iss !== issuer || !Array.isArray(aud) || aud.length !== 2 || aud[0] !== environment) return undefined;
  // The row of a key decides when it expires, so its `exp` is not checked here.
  if (aud[1] === 'api-key') return isUuid(sub) ? { kind: 'key', keyId: sub } : undefined;
  if (aud[1] !== 'session' || !isUuid(sid) || !Number.isSafeInteger(org) || !Number.isSafeInteger(exp))
    return undefined;
  if (typeof sub !== 'string' || !/^[1-9][0-9]{0,9}$/.test(sub)) return undefined;
  return { kind: 'session', sessionId: sid, userId: Number(sub), orgId: Number(org), expiresAtMs: Number(exp) * 1000 };
}

function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidShape.test(value);
}
