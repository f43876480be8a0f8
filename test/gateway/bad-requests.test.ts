import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { authSecret } from '../support/caller.js';
import { type RawAnswer, sendRaw } from '../support/raw-http.js';
import { sharedWorld, type TestOrganization, type World } from '../support/world.js';

const mib = 1024 * 1024;
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

let world: World;
beforeAll(async () => {
  world = await sharedWorld();
});

function request(line: string, headers: readonly string[] = [], body = ''): string {
  return [`${line} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers, '', body].join('\r\n');
}

/** Checks what every error response has in common, and returns its error object. */
function errorOf(answer: RawAnswer): {
  type: string;
  status: number;
  detail: string;
  instance: string;
  request_id: string;
} {
  expect(answer.headers.get('content-type')).toBe('application/json');
  for (const name of ['limit', 'remaining', 'reset'])
    expect(answer.headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
  const { error } = JSON.parse(answer.body);
  expect(error.status).toBe(answer.status);
  expect(error.request_id).toBe(answer.headers.get('x-request-id'));
  return error;
}

describe('what is hardly HTTP', () => {
  test.each<[string, readonly string[]]>([
    ['one header of 20 kB', [`GET /api/v1/assets HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`]],
    [
      '5 MB of headers',
      ['GET /api/v1/assets HTTP/1.1\r\n', ...Array.from({ length: 100 }, () => `X: ${'a'.repeat(50_000)}\r\n`)],
    ],
    [
      '100,000 headers',
      ['GET /api/v1/assets HTTP/1.1\r\n', ...Array.from({ length: 100 }, () => 'a: b\r\n'.repeat(1000))],
    ],
    ['a token of 20 kB', [`GET /api/v1/assets HTTP/1.1\r\nAuthorization: Bearer ${'a'.repeat(20_000)}\r\n\r\n`]],
    ['a path of 20 kB', [`GET /api/v1/${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]],
    ['a query of 20 kB', [`GET /api/v1/assets?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]],
    ['a method with a bracket', [request('F[ /api/v1/assets')]],
    ['a NUL in a header', [request('GET /api/v1/assets', ['X: a\0b'])]],
    ['a header without a colon', [request('GET /api/v1/assets', ['nonsense'])]],
    ['raw bytes in the path', ['GET /api/v1/\xff HTTP/1.1\r\nHost: x\r\n\r\n']],
    ['two lengths', [request('POST /api/v1/assets', ['Content-Length: 2', 'Content-Length: 3'], '{}}')]],
    [
      'a length and chunks',
      [request('POST /api/v1/assets', ['Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n')],
    ],
    ['a negative length', [request('POST /api/v1/assets', ['Content-Length: -1'], '{}')]],
    ['TLS', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03']],
    ['HTTP/2', ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n']],
  ])('%s is a bad request', async (_what, parts) => {
    const answer = await sendRaw(world.port, parts);
    expect(answer.status).toBe(400);
    const error = errorOf(answer);
    expect(error.type).toBe('bad_request');
    expect(error.request_id).toMatch(ulid);
  });

  test('a malformed chunk stores nothing', async () => {
    const org = await world.organization();
    const head = request('POST /api/v1/assets', [
      `Authorization: Bearer ${org.token}`,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
    ]);
    const answer = await sendRaw(world.port, [head, 'c\r\n{"name":"x"}\r\n', 'zz\r\n']);
    expect(errorOf(answer).type).toBe('bad_request');
    expect((await org.get('/api/v1/assets')).body.total_count).toBe(0);
  });

  test('a body that breaks off stores nothing', async () => {
    const org = await world.organization();
    const headers = [`Authorization: Bearer ${org.token}`, 'Content-Type: application/json', 'Content-Length: 13'];
    await sendRaw(world.port, [request('POST /api/v1/assets', headers, '{"name":"x"}')], { end: true });
    expect((await org.get('/api/v1/assets')).body.total_count).toBe(0);
  });

  test.each([
    ['HTTP/1.0', 'GET /api/v1/assets HTTP/1.0\r\n\r\n', 401],
    ['an unknown expectation', request('POST /api/v1/assets', ['Expect: wonders', 'Content-Length: 0']), 401],
    [
      'an upgrade',
      'GET /api/v1/assets HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      401,
    ],
    ['the asterisk', request('OPTIONS *'), 404],
    ['TRACE', request('TRACE /api/v1/assets'), 405],
    [
      'OPTIONS with an origin',
      request('OPTIONS /api/v1/assets', ['Origin: https://a.example', 'Access-Control-Request-Method: POST']),
      405,
    ],
    ['a path with dots', request('GET /api/v1/../v1/assets'), 404],
    ['a path with two slashes', request('GET //api/v1/assets'), 404],
    ['an escaped slash', request('GET /api/v1%2Fassets'), 404],
    ['a path in capitals', request('GET /API/V1/ASSETS'), 404],
    ['a trailing slash', request('GET /api/v1/assets/'), 404],
    [
      'a method override',
      request('POST /api/v1/assets/1', ['X-HTTP-Method-Override: DELETE', 'Content-Length: 0']),
      405,
    ],
  ])('%s gets the envelope', async (_what, text, status) => {
    const answer = await sendRaw(world.port, [text]);
    expect(answer.status).toBe(status);
    expect(errorOf(answer).request_id).toMatch(ulid);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toStrictEqual([]);
  });

  test('a thousand small headers do not hide the credential behind them', async () => {
    const org = await world.organization();
    const many = Array.from({ length: 1500 }, (_, index) => `h${index}:`);
    const answer = await sendRaw(world.port, [
      request('GET /api/v1/assets', [...many, `Authorization: Bearer ${org.token}`]),
    ]);
    expect(answer.status).toBe(200);
  });

  test('a request id comes back byte for byte in header and body, also on errors', async () => {
    for (const id of ['a b"c\\', '\xe9\xff', '<script>', 'x'.repeat(5000)]) {
      const answer = await sendRaw(world.port, [request('GET /api/v1/nothing', [`X-Request-ID: ${id}`])]);
      expect(answer.text).toContain(`X-Request-ID: ${id}\r\n`);
      expect(JSON.parse(Buffer.from(answer.body, 'latin1').toString('utf8')).error.request_id).toBe(id);
    }
  });
});

describe('a body over the limit', () => {
  const headersOf = ({ token }: TestOrganization) => [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
  ];
  const detail = `Request body must be at most ${mib} bytes`;

  test.each<[string, (org: TestOrganization) => (string | Buffer)[]]>([
    [
      'declared and not sent',
      (org) => [request('POST /api/v1/assets', [...headersOf(org), `Content-Length: ${mib + 1}`])],
    ],
    [
      'declared and sent',
      (org) => [
        request('POST /api/v1/assets', [...headersOf(org), `Content-Length: ${5 * mib}`]),
        Buffer.alloc(5 * mib, ' '),
      ],
    ],
    [
      'in chunks',
      (org) => [
        request('POST /api/v1/assets', [...headersOf(org), 'Transfer-Encoding: chunked']),
        ...Array.from({ length: 5 }, () => `100000\r\n${' '.repeat(mib)}\r\n`),
        '0\r\n\r\n',
      ],
    ],
  ])('%s is rejected, and the client receives the answer', async (_what, partsFor) => {
    const org = await world.organization();
    const answer = await sendRaw(world.port, partsFor(org));
    expect(errorOf(answer)).toMatchObject({ type: 'payload_too_large', status: 413, detail });
  });

  test('without a credential is rejected for that', async () => {
    const parts = [request('POST /api/v1/assets', [`Content-Length: ${5 * mib}`]), Buffer.alloc(5 * mib, ' ')];
    const answer = await sendRaw(world.port, parts);
    expect(errorOf(answer)).toMatchObject({ type: 'unauthorized', status: 401 });
    expect(answer.error).toBeUndefined();
  });

  test('without a credential and without end is cut off', async () => {
    const piece = `100000\r\n${' '.repeat(mib)}\r\n`;
    const head = request('POST /api/v1/assets', ['Transfer-Encoding: chunked']).replace('Connection: close\r\n', '');
    const parts = [head, ...Array.from({ length: 64 }, () => piece)];
    const answer = await sendRaw(world.port, parts, { halfOpen: true });
    expect(errorOf(answer).type).toBe('unauthorized');
    expect(answer.error).toBeDefined();
  });
});

describe('tokens', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const decoded = (token: string, index: number) =>
    JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString()) as Record<string, unknown>;

  /** Variations of a valid token, signed with the right secret where that is not the point. */
  async function forgeriesOf(token: string): Promise<Record<string, string>> {
    const [header, payload] = [decoded(token, 0), decoded(token, 1)];
    const [head = '', body = '', signature = ''] = token.split('.');
    const resigned = (newHeader: object, newPayload: object, hash = 'sha256') => {
      const input = `${part(newHeader)}.${part(newPayload)}`;
      return `${input}.${createHmac(hash, authSecret).update(input).digest('base64url')}`;
    };
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = await exportJWK(rsa.publicKey);
    const byRsa = (more: object) =>
      new SignJWT(payload).setProtectedHeader({ ...header, alg: 'RS256', ...more }).sign(rsa.privateKey);
    return {
      'alg none': `${part({ ...header, alg: 'none' })}.${body}.`,
      'alg None with the signature': `${part({ ...header, alg: 'None' })}.${body}.${signature}`,
      'no alg': resigned({ kid: header['kid'], typ: 'JWT' }, payload),
      HS512: resigned({ ...header, alg: 'HS512' }, payload, 'sha512'),
      'HS256 said to be RS256': resigned({ ...header, alg: 'RS256' }, payload),
      RS256: await byRsa({}),
      'an embedded key': await byRsa({ jwk }),
      'a key address': await byRsa({ jku: 'https://attacker.example/keys' }),
      'a certificate': resigned({ ...header, x5c: ['MIIB'] }, payload),
      'a critical extension': resigned({ ...header, crit: ['b64'], b64: false }, payload),
      'another kid': resigned({ ...header, kid: '../../dev/null' }, payload),
      'another issuer': resigned(header, { ...payload, iss: 'somebody' }),
      'no issuer': resigned(header, { ...payload, iss: undefined }),
      'another audience': resigned(header, { ...payload, aud: 'somebody' }),
      'the other environment': resigned(header, { ...payload, aud: ['preview', 'api-key'] }),
      'no audience': resigned(header, { ...payload, aud: undefined }),
      'an unknown key': resigned(header, { ...payload, sub: randomUUID() }),
      'a subject that is no UUID': resigned(header, { ...payload, sub: "' OR true --" }),
      'a subject of another type': resigned(header, { ...payload, sub: { a: 1 } }),
      'a changed payload': `${head}.${part({ ...payload, sub: randomUUID() })}.${signature}`,
      'a changed header': `${part({ ...header, x: 1 })}.${body}.${signature}`,
      'a cut signature': token.slice(0, -1),
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      'four parts': `${token}.${signature}`,
      'five parts': `${head}.${head}.${body}.${signature}.${signature}`,
      padding: `${token}=`,
      'no JSON': `${head}.${Buffer.from('no JSON').toString('base64url')}.${signature}`,
      dots: '..',
      text: 'secret',
    };
  }

  test('of every forged kind are rejected alike', async () => {
    const org = await world.organization();
    expect((await org.get('/api/v1/assets')).status).toBe(200);
    for (const [what, token] of Object.entries(await forgeriesOf(org.token))) {
      const headers = { Authorization: `Bearer ${token}` };
      const answer = await world.anonymous.call('GET', '/api/v1/assets', { headers });
      expect([what, answer.status, answer.body.error.detail]).toStrictEqual([what, 401, 'Invalid or expired token']);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="service-api"');
    }
  });

  test.each([
    'Bearer',
    'Bearer ',
    'Basic dXNlcjpwYXNz',
    'Token x',
    'Bearer a b',
    'Bearer\ta',
    'bearera',
    ',',
    'Bearer a, Bearer b',
  ])('the header %j is malformed', async (header) => {
    const answer = await sendRaw(world.port, [request('GET /api/v1/assets', [`Authorization: ${header}`])]);
    expect(errorOf(answer)).toMatchObject({ status: 401, detail: 'Invalid authorization header format' });
  });

  test('elsewhere than in the header do not count', async () => {
    const { token } = await world.organization();
    for (const [path, headers] of [
      [`/api/v1/assets?access_token=${token}`, {}],
      ['/api/v1/assets', { Cookie: `access_token=${token}` }],
      ['/api/v1/assets', { 'X-API-Key': token }],
      ['/api/v1/assets', { 'Proxy-Authorization': `Bearer ${token}` }],
    ] as const) {
      expect((await world.anonymous.call('GET', path, { headers })).status).toBe(401);
    }
  });
});
