import { createHmac, createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { parseAuthSecrets } from '../../../../server/people/auth/secrets.js';
import { createTokens } from '../../../../server/people/auth/tokens.js';

// Long enough for HS512 too, so that nothing but the pinned algorithm rejects it.
const secret = 'the first secret of these tests with many more bytes than the 64 that HS512 demands of its keys';
const otherSecret = 'the second secret of these tests with 32 bytes and more';
const keyId = '2f6a1d3e-5b07-4c0a-9a53-1f0c2c7b9d11';
const nowMs = Date.parse('2026-03-01T12:00:00Z');

function tokensOf(secrets = secret, environment = 'production') {
  return createTokens({ secrets: parseAuthSecrets(secrets), environment, now: () => nowMs });
}

function part(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

function decoded(token: string, index: 0 | 1): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>;
}

/** A token with any content, signed by hand with the right secret. */
function signed(header: unknown, payload: unknown, { key = secret, hash = 'sha256' } = {}): string {
  const input = `${part(header)}.${part(payload)}`;
  return `${input}.${createHmac(hash, key).update(input).digest('base64url')}`;
}

const [{ kid }] = parseAuthSecrets(secret);
const header = { alg: 'HS256', kid, typ: 'JWT' };
const payload = { iss: 'whereabouts', aud: ['production', 'api-key'], sub: keyId, iat: Math.floor(nowMs / 1000) };

describe('an API key token', () => {
  it('names the key as its subject and has no exp unless the key expires', async () => {
    const lasting = await tokensOf().signApiKey({ id: keyId, expiresAtMs: null });
    expect(decoded(lasting, 0)).toEqual(header);
    expect(decoded(lasting, 1)).toEqual(payload);
    const ending = await tokensOf().signApiKey({ id: keyId, expiresAtMs: nowMs + 1500 });
    expect(decoded(ending, 1)['exp']).toBe(nowMs / 1000 + 2);
  });

  it('is verified whether or not its exp has passed, since the row decides', async () => {
    const ended = await tokensOf().signApiKey({ id: keyId, expiresAtMs: nowMs - 86_400_000 });
    expect(await tokensOf().verify(ended)).toEqual({ kind: 'key', keyId });
  });
});

describe('a session token', () => {
  it('lasts 15 minutes', async () => {
    const sessionId = randomUUID();
    const token = await tokensOf().signSession({ id: sessionId, userId: 7, orgId: 9 });
    const expiresAtMs = nowMs + 15 * 60_000;
    expect(await tokensOf().verify(token)).toEqual({ kind: 'session', sessionId, userId: 7, orgId: 9, expiresAtMs });
  });
});

describe('rotation of secrets', () => {
  it('signs with the first secret and verifies with all', async () => {
    const old = await tokensOf(otherSecret).signApiKey({ id: keyId, expiresAtMs: null });
    const rotated = tokensOf(`${secret}, ${otherSecret}`);
    expect(await rotated.verify(old)).toBeDefined();
    expect(decoded(await rotated.signApiKey({ id: keyId, expiresAtMs: null }), 0)['kid']).toBe(kid);
    expect(await tokensOf(secret).verify(old)).toBeUndefined();
  });

  it('rejects short secrets', () => {
    expect(() => parseAuthSecrets(`${secret},short`)).toThrow('at least 32 bytes');
    expect(() => parseAuthSecrets('')).toThrow('at least 32 bytes');
    expect(() => parseAuthSecrets(`${secret},`)).toThrow('at least 32 bytes');
  });
});

describe('verification', () => {
  it('accepts an nbf and an iat that have passed, and clocks that differ by seconds', async () => {
    for (const times of [{ nbf: nowMs / 1000 }, { nbf: 0, iat: 0.5 }, { iat: nowMs / 1000 + 4 }]) {
      expect(await tokensOf().verify(signed(header, { ...payload, ...times }))).toBeDefined();
    }
  });

  it('accepts what the forgeries below are made from', async () => {
    expect(await tokensOf().verify(signed(header, payload))).toEqual({ kind: 'key', keyId });
  });

  const asSession = { ...payload, aud: ['production', 'session'] };
  const forgeries: Record<string, () => string | Promise<string>> = {
    'no token at all': () => '',
    'a word': () => 'token',
    'two parts': () => `${part(header)}.${part(payload)}`,
    'four parts': () => `${signed(header, payload)}.x`,
    'five parts': () => `${part(header)}.${signed(header, payload)}.x`,
    'no signature': () => `${part(header)}.${part(payload)}.`,
    'a cut signature': () => signed(header, payload).slice(0, -1),
    'a very long text': () => `${part('x'.repeat(3000))}.${part(payload)}.${'A'.repeat(43)}`,
    'alg none': () => new UnsecuredJWT(payload).encode(),
    'alg none with a signature': () => signed({ ...header, alg: 'none' }, payload),
    'alg NONE in capitals': () => signed({ ...header, alg: 'NONE' }, payload),
    'HS512 with the same secret': () => signed({ ...header, alg: 'HS512' }, payload, { hash: 'sha512' }),
    'HS384 with the same secret': () => signed({ ...header, alg: 'HS384' }, payload, { hash: 'sha384' }),
    'HS256 named, HS512 used': () => signed(header, payload, { hash: 'sha512' }),
    'no alg': () => signed({ kid, typ: 'JWT' }, payload),
    'an algorithm that is no text': () => signed({ ...header, alg: ['HS256'] }, payload),
    RS256: async () => {
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
      return new SignJWT(payload).setProtectedHeader({ ...header, alg: 'RS256' }).sign(privateKey);
    },
    'a key of its own in jwk': async () => {
      const key = generateKeyPairSync('ed25519').privateKey;
      const jwk = await exportJWK(createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' })));
      return new SignJWT(payload)
        .setProtectedHeader({ ...header, alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519', x: String(jwk.x) } })
        .sign(key);
    },
    'the right signature beside a jwk': () => signed({ ...header, jwk: { kty: 'oct', k: part(secret) } }, payload),
    'the right signature beside a jku': () => signed({ ...header, jku: 'https://example.com/keys' }, payload),
    'the right signature beside an x5u': () => signed({ ...header, x5u: 'https://example.com/cert' }, payload),
    'the right signature beside an x5c': () => signed({ ...header, x5c: ['MIIB'] }, payload),
    crit: () => signed({ ...header, crit: ['exp'], exp: 1 }, payload),
    'b64 switched off': () => signed({ ...header, crit: ['b64'], b64: false }, payload),
    'an unknown kid': () => signed({ ...header, kid: '0000000000000000' }, payload),
    'no kid': () => signed({ alg: 'HS256', typ: 'JWT' }, payload),
    'a kid that is no text': () => signed({ ...header, kid: { toString: kid } }, payload),
    'another typ': () => signed({ ...header, typ: 'at+jwt' }, payload),
    'a header with a member twice': () => signed(`{"alg":"none","alg":"HS256","kid":"${kid}","typ":"JWT"}`, payload),
    'a header with a member twice, once escaped': () =>
      signed(`{"\\u0061lg":"none","alg":"HS256","kid":"${kid}","typ":"JWT"}`, payload),
    'a time to come as nbf': () => signed(header, { ...payload, nbf: nowMs / 1000 + 60 }),
    'a time to come as iat': () => signed(header, { ...payload, iat: nowMs / 1000 + 60 }),
    'an nbf that is no number': () => signed(header, { ...payload, nbf: '0' }),
    'an iat that is null': () => signed(header, { ...payload, iat: null }),
    'another secret': () => signed(header, payload, { key: otherSecret }),
    'an empty secret': () => signed(header, payload, { key: '' }),
    'a payload changed afterwards': () => {
      const [head, , signature] = signed(header, payload).split('.');
      return `${head}.${part({ ...payload, sub: randomUUID() })}.${signature}`;
    },
    'a header changed afterwards': () => {
      const [, body, signature] = signed(header, payload).split('.');
      return `${part({ typ: 'JWT', alg: 'HS256', kid })}.${body}.${signature}`;
    },
    'a signature spelled otherwise': () => {
      const token = signed(header, payload);
      const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
      return token.slice(0, -1) + alphabet[alphabet.indexOf(token.slice(-1)) + 1];
    },
    'a signature in base64 instead of base64url': () => `${signed(header, payload)}=`,
    'white space around it': () => ` ${signed(header, payload)}`,
    'a line end behind it': () => `${signed(header, payload)}\n`,
    'a header that is no JSON': () => signed('{', payload),
    'a header that is null': () => signed('null', payload),
    'a header that is a list': () => signed([header], payload),
    'a payload that is no JSON': () => signed(header, '{'),
    'a payload that is null': () => signed(header, 'null'),
    'another issuer': () => signed(header, { ...payload, iss: 'elsewhere' }),
    'no issuer': () => signed(header, { ...payload, iss: undefined }),
    'the other environment': () => signed(header, { ...payload, aud: ['preview', 'api-key'] }),
    'both environments': () => signed(header, { ...payload, aud: ['production', 'preview', 'api-key'] }),
    'the environment alone': () => signed(header, { ...payload, aud: 'production' }),
    'another kind': () => signed(header, { ...payload, aud: ['production', 'invitation'] }),
    'no audience': () => signed(header, { ...payload, aud: undefined }),
    'a subject that is no UUID': () => signed(header, { ...payload, sub: '7' }),
    'no subject': () => signed(header, { ...payload, sub: undefined }),
    'a subject that is no text': () => signed(header, { ...payload, sub: 7 }),
    'a key passed off as a session': () => signed(header, asSession),
    'a session without exp': () => signed(header, { ...asSession, sub: '7', sid: randomUUID(), org: 1 }),
    'a session whose exp is text': () =>
      signed(header, { ...asSession, sub: '7', sid: randomUUID(), org: 1, exp: '9999999999' }),
    'a session without an organization': () =>
      signed(header, { ...asSession, sub: '7', sid: randomUUID(), exp: 9999999999 }),
    'a session of user 0': () => signed(header, { ...asSession, sub: '0', sid: randomUUID(), org: 1, exp: 9999999999 }),
  };

  it.each(Object.entries(forgeries))('rejects %s', async (_name, forge) => {
    expect(await tokensOf().verify(await forge())).toBeUndefined();
  });

  it('rejects every token with one character changed', async () => {
    const tokens = tokensOf();
    const token = await tokens.signApiKey({ id: keyId, expiresAtMs: null });
    for (let at = 0; at < token.length; at += 1) {
      const changed = `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`;
      expect(await tokens.verify(changed), `character ${at}`).toBeUndefined();
    }
  });

  it('rejects the other environment in both directions, with the same secret', async () => {
    const production = tokensOf(secret, 'production');
    const preview = tokensOf(secret, 'preview');
    expect(await preview.verify(await production.signApiKey({ id: keyId, expiresAtMs: null }))).toBeUndefined();
    expect(await production.verify(await preview.signApiKey({ id: keyId, expiresAtMs: null }))).toBeUndefined();
    const session = { id: randomUUID(), userId: 1, orgId: 1 };
    expect(await production.verify(await preview.signSession(session))).toBeUndefined();
  });
});
