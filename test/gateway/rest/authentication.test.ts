import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authSecret } from '../../support/caller.js';
import '../../support/expect-error.js';
import { addSession } from '../../support/factories.js';
import { sendRaw } from '../../support/raw-http.js';
import { createClient } from '../../support/rest-client.js';
import { sharedWorld } from '../../support/world.js';

const path = '/api/v1/assets';

const world = await sharedWorld();

type Part = Record<string, unknown>;

function encode(part: Part): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

function decode(token: string, index: number): Part {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Part;
}

/** A token with its claims changed, signed by hand with the service's own secret unless said otherwise. */
function reforged(token: string, { claims = {}, secret = authSecret }: { claims?: Part; secret?: string }): string {
  const input = `${token.split('.')[0]}.${encode({ ...decode(token, 1), ...claims })}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

function listWith(headers: Record<string, string>) {
  return world.anonymous.call('GET', path, { headers });
}

describe('the Authorization header', () => {
  it('accepts the scheme in any case, followed by any number of spaces', async () => {
    const { token } = await world.organization();
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  ']) {
      expect((await listWith({ Authorization: `${scheme} ${token}` })).status, scheme).toBe(200);
    }
  });

  it('must consist of Bearer and one token', async () => {
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

  it('is reported as malformed, not as missing, when it is empty', async () => {
    const answer = await sendRaw(world.port, [
      `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: \r\nConnection: close\r\n\r\n`,
    ]);
    expect(answer.status).toBe(401);
    expect(JSON.parse(answer.body).error.detail).toBe('Invalid authorization header format');
  });
});

describe('a credential outside the Authorization header', () => {
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

  it('is ignored in other headers, in cookies and in the query', async () => {
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
  it('is accepted when it is signed again with the same claims', async () => {
    const { token } = await world.organization();
    expect((await createClient(world.url, reforged(token, {})).get(path)).status).toBe(200);
  });

  it('is rejected when its format, algorithm, signature or claims are wrong', async () => {
    const organization = await world.organization();
    const { token } = organization;
    const session = await addSession(world, organization.orgId, 'admin');
    const [header, claims] = token.split('.') as [string, string];
    const attempts: Record<string, string> = {
      'no token': 'abc',
      'two parts': `${header}.${claims}`,
      'alg none': `${encode({ ...decode(token, 0), alg: 'none' })}.${claims}.`,
      'another secret': reforged(token, { secret: 'another secret that is just as long as the one of the service' }),
      'another audience': reforged(token, { claims: { aud: 'somebody-else' } }),
      'a subject that is no id': reforged(token, { claims: { sub: "' OR 1=1 --" } }),
      'an expired session': reforged(session.token, { claims: { exp: Math.floor(Date.now() / 1000) - 1 } }),
      'a session without end': reforged(session.token, { claims: { exp: undefined } }),
    };
    for (const [name, attempt] of Object.entries(attempts)) {
      const answer = await createClient(world.url, attempt).get(path);
      expect(answer, name).toBeError({ type: 'unauthorized', detail: 'Invalid or expired token' });
    }
    expect((await session.get(path)).status).toBe(200);
  });
});

describe('an API key', () => {
  it('expires at its stored time, not at the time in its token', async () => {
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
});

describe('a session', () => {
  it.each([
    ['viewer', 200, 403],
    ['operator', 200, 403],
    ['manager', 200, 201],
    ['admin', 200, 201],
  ] as const)('of a %s can read and write only what the role allows', async (role, reads, writes) => {
    const { orgId } = await world.organization();
    const session = await addSession(world, orgId, role);
    for (const target of [path, '/api/v1/locations', '/api/v1/reports/asset-locations']) {
      expect((await session.get(target)).status).toBe(reads);
    }
    for (const target of [path, '/api/v1/locations']) {
      expect((await session.post(target, { name: 'n' })).status).toBe(writes);
    }
  });

  it('is rejected with the name of the missing scope', async () => {
    const { orgId } = await world.organization();
    const session = await addSession(world, orgId, 'viewer');
    const answer = await session.post(path, { name: 'n' });
    expect(answer).toBeError({ type: 'forbidden', detail: 'Missing required scope: assets:write' });
  });
});
