import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIdentity } from '../../../server/people/auth/identity.js';
import { createLog } from '../../../server/kernel/log.js';
import { authSecret } from '../../support/caller.js';
import '../../support/expect-error.js';
import { addSession, createAsset } from '../../support/factories.js';
import { sendRaw } from '../../support/raw-http.js';
import { createClient } from '../../support/rest-client.js';
import { sharedWorld, type World } from '../../support/world.js';

const path = '/api/v1/assets';

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

type Part = Record<string, unknown>;

function encode(part: Part): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decode(token: string, index: number): Part {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Part;
}

/** A token with its header and claims changed, signed by hand with the service's own secret unless said otherwise. */
function reforged(
  token: string,
  {
    header = {},
    claims = {},
    hash = 'sha256',
    secret = authSecret,
  }: { header?: Part; claims?: Part; hash?: string; secret?: string },
): string {
  const input = `${encode({ ...decode(token, 0), ...header })}.${encode({ ...decode(token, 1), ...claims })}`;
  return `${input}.${createHmac(hash, secret).update(input).digest('base64url')}`;
}

function listWith(headers: Record<string, string>) {
  return world.anonymous.call('GET', path, { headers });
}

describe('the Authorization header', () => {
  it('takes the scheme in any case and any number of spaces after it', async () => {
    const { token } = await world.organization();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
      expect((await listWith({ Authorization: `${scheme} ${token}` })).status, scheme).toBe(200);
    }
  });

  it('must be of the form Bearer and one token', async () => {
    const { token } = await world.organization();
    const malformed = [
      'Bearer',
      'Bearer ',
      token,
      `Token ${token}`,
      `Basic ${token}`,
      `Bearer${token}`,
      `Bearer ${token} x`,
      `Bearer: ${token}`,
      `Bearer a b`,
    ];
    for (const value of malformed) {
      const detail = 'Invalid authorization header format';
      expect(await listWith({ Authorization: value }), value).toBeError({
        type: 'unauthorized',
        detail,
        instance: path,
      });
    }
  });

  it('is malformed, not missing, when it is empty', async () => {
    const answer = await sendRaw(world.port, [
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: \r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body).error.detail).toBe('Invalid authorization header format');
  });
});

describe('a credential outside of the Authorization header', () => {
  it.each(['X-API-Key', 'Api-Key', 'ApiKey', 'X-Auth-Token', 'X-Access-Token', 'x-api-key'])(
    'is rejected in %s',
    async (name) => {
      const { token } = await world.organization();
      for (const value of [token, `Bearer ${token}`, 'anything']) {
        expect(await listWith({ [name]: value })).toBeError({
          type: 'unauthorized',
          detail: 'Use Authorization: Bearer <token>',
        });
      }
      expect((await listWith({ [name]: 'anything', Authorization: `Bearer ${token}` })).status).toBe(200);
      const both = await listWith({ [name]: token, Authorization: 'Bearer nonsense' });
      expect(both).toBeError({ type: 'unauthorized', detail: 'Invalid or expired token' });
    },
  );

  it('is not looked for in other headers, cookies or the query', async () => {
    const { token } = await world.organization();
    const detail = 'Missing authorization header';
    for (const headers of [
      { 'X-Token': token },
      { 'Proxy-Authorization': `Bearer ${token}` },
      { Cookie: `token=${token}` },
    ]) {
      expect(await listWith(headers as unknown as Record<string, string>)).toBeError({ type: 'unauthorized', detail });
    }
    expect(await world.anonymous.get(`${path}?access_token=${token}`)).toBeError({ type: 'unauthorized', detail });
  });
});

describe('a token', () => {
  it('counts when reforged as it was', async () => {
    const { token } = await world.organization();
    expect((await createClient(world.url, reforged(token, {})).get(path)).status).toBe(200);
  });

  it('does not count when anything about it is wrong', async () => {
    const organization = await world.organization();
    const { token } = organization;
    const session = await addSession(world, organization.orgId, 'admin');
    const [header, claims, signature] = token.split('.') as [string, string, string];
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const rsaInput = `${encode({ ...decode(token, 0), alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) })}.${claims}`;
    const other = 'another secret that is just as long as the one of the service';
    const attempts: Record<string, string> = {
      'no token': 'abc',
      'two parts': `${header}.${claims}`,
      'four parts': `${token}.${signature}`,
      'no signature': `${header}.${claims}.`,
      'a signature changed': `${header}.${claims}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
      'claims changed': `${header}.${encode({ ...decode(token, 1), sub: '00000000-0000-0000-0000-000000000000' })}.${signature}`,
      'alg none': `${encode({ ...decode(token, 0), alg: 'none' })}.${claims}.`,
      'alg None with a signature': reforged(token, { header: { alg: 'None' } }),
      'alg HS512': reforged(token, { header: { alg: 'HS512' }, hash: 'sha512' }),
      'alg HS384': reforged(token, { header: { alg: 'HS384' }, hash: 'sha384' }),
      'alg RS256 with a key of its own': `${rsaInput}.${sign('sha256', Buffer.from(rsaInput), privateKey).toString('base64url')}`,
      'another secret': reforged(token, { secret: other }),
      'another secret, brought along': reforged(token, {
        secret: other,
        header: { jwk: { kty: 'oct', k: Buffer.from(other).toString('base64url') } },
      }),
      'an unknown critical header': reforged(token, { header: { crit: ['x'], x: 1 } }),
      'another audience': reforged(token, { claims: { aud: 'somebody-else' } }),
      'no audience': reforged(token, { claims: { aud: undefined } }),
      'another issuer': reforged(token, { claims: { iss: 'somebody-else' } }),
      'no issuer': reforged(token, { claims: { iss: undefined } }),
      'a subject that is no id': reforged(token, { claims: { sub: "' OR 1=1 --" } }),
      'no subject': reforged(token, { claims: { sub: undefined } }),
      'a subject that is a number': reforged(token, { claims: { sub: 1 } }),
      'an expired session': reforged(session.token, { claims: { exp: Math.floor(Date.now() / 1000) - 1 } }),
      'a session without end': reforged(session.token, { claims: { exp: undefined } }),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      const answer = await createClient(world.url, attempt).get(path);
      expect(answer, name).toBeError({ type: 'unauthorized', detail: 'Invalid or expired token' });
    }
    expect((await session.get(path)).status).toBe(200);
  });

  it('of the other environment does not count, though both share a secret', async () => {
    const { keyId } = await world.organization();
    const settings = { authSecret, environment: 'preview' };
    const preview = createIdentity({ db: world.db, log: createLog('silent'), settings });
    const token = await preview.signApiKey({ id: keyId, expiresAtMs: null });
    const answer = await createClient(world.url, token).get(path);
    expect(answer).toBeError({ type: 'unauthorized', detail: 'Invalid or expired token' });
  });
});

describe('an API key', () => {
  it('is judged by its stored expiry, not by the one in its token', async () => {
    const organization = await world.organization();
    const ended = await organization.withScopes(['assets:read'], { expiresAtMs: Date.now() - 1000 });
    const lasting = reforged(ended.token, { claims: { exp: undefined } });
    for (const token of [ended.token, lasting]) {
      expect(await createClient(world.url, token).get(path)).toBeError({
        type: 'unauthorized',
        detail: 'API key has expired',
      });
    }
    const tomorrow = await organization.withScopes(['assets:read'], { expiresAtMs: Date.now() + 86_400_000 });
    expect((await tomorrow.get(path)).status).toBe(200);
    const past = reforged(tomorrow.token, { claims: { exp: 1 } });
    expect((await createClient(world.url, past).get(path)).status).toBe(200);
  });

  it('is revoked from the next request on', async () => {
    const organization = await world.organization();
    const admin = await addSession(world, organization.orgId, 'admin');
    expect((await organization.get(path)).status).toBe(200);
    const revoked = await admin.call('POST', '/trpc/apiKeys.revoke', { body: { id: organization.keyId } });
    expect(revoked.status, revoked.text).toBe(200);
    expect(await organization.get(path)).toBeError({ type: 'unauthorized', detail: 'API key has been revoked' });
  });

  it('opens its own organization alone', async () => {
    const [ours, theirs] = [await world.organization(), await world.organization()];
    await createAsset(ours, { external_key: 'OURS' });
    await createAsset(theirs, { external_key: 'THEIRS' });
    for (const [client, key] of [
      [ours, 'OURS'],
      [theirs, 'THEIRS'],
    ] as const) {
      const { body } = await client.get(`${path}?external_key=OURS&external_key=THEIRS`);
      expect(body).toMatchObject({ total_count: 1, data: [{ external_key: key }] });
    }
  });
});

describe('a session', () => {
  it.each([
    ['viewer', 200, 403],
    ['operator', 200, 403],
    ['manager', 200, 201],
    ['admin', 200, 201],
  ] as const)('of a %s reads and writes as the role allows', async (role, reads, writes) => {
    const { orgId } = await world.organization();
    const session = await addSession(world, orgId, role);
    for (const target of [path, '/api/v1/locations', '/api/v1/reports/asset-locations']) {
      expect((await session.get(target)).status).toBe(reads);
    }
    for (const target of [path, '/api/v1/locations']) {
      expect((await session.post(target, { name: 'n' })).status).toBe(writes);
    }
  });

  it('gets the name of the missing scope', async () => {
    const { orgId } = await world.organization();
    const session = await addSession(world, orgId, 'viewer');
    const answer = await session.post(path, { name: 'n' });
    expect(answer).toBeError({ type: 'forbidden', detail: 'Missing required scope: assets:write' });
  });
});
