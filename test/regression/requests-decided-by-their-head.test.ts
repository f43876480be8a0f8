import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { type RawAnswer, sendRaw } from '../support/raw-http.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

const org = await world.organization();

function head(line: string, ...headers: string[]): string {
  return [`${line} HTTP/1.1`, ...headers, '', ''].join('\r\n');
}

function errorOf({ body }: RawAnswer): { type: string; detail: string; instance: string; request_id: string } {
  return (JSON.parse(body) as { error: ReturnType<typeof errorOf> }).error;
}

const answersOf = ({ text }: RawAnswer) => text.match(/HTTP\/1\.1 \d+/g) ?? [];

describe('Host', () => {
  test.each([
    ['no Host', [], 'Host header is missing'],
    ['two that differ', ['Host: a', 'Host: b'], 'Host header must not be repeated'],
    ['the same twice', ['Host: a', 'host: a'], 'Host header must not be repeated'],
    ['an empty one', ['Host:'], 'Host header is not valid'],
    ['a path', ['Host: a/b'], 'Host header is not valid'],
    ['a user', ['Host: user@a'], 'Host header is not valid'],
    ['two names', ['Host: a, b'], 'Host header is not valid'],
    ['a bad port', ['Host: a:80b'], 'Host header is not valid'],
    ['an open bracket', ['Host: [::1'], 'Host header is not valid'],
  ])('%s is rejected everywhere', async (_what, headers, detail) => {
    for (const path of ['/api/v1/assets', '/trpc/session.status', '/healthz', '/nowhere']) {
      const answer = await sendRaw(world.port, [head(`GET ${path}`, ...headers, 'Connection: close')]);
      expect([answer.status, errorOf(answer)]).toMatchObject([400, { type: 'bad_request', detail, instance: path }]);
      expect(answer.headers.get('x-request-id')).toBe(errorOf(answer).request_id);
      expect(answer.headers.has('x-ratelimit-remaining')).toBe(true);
    }
  });

  test.each(['localhost', 'a.example:3000', '127.0.0.1:80', '[::1]:3000', '[2001:db8::1]', 'a-b_c.example', 'a:'])(
    '%s is accepted',
    async (host) => {
      const answer = await sendRaw(world.port, [head('GET /healthz', `Host: ${host}`, 'Connection: close')]);
      expect(answer.status).toBe(200);
    },
  );

  test('HTTP/1.0 may leave it out, and may not send two', async () => {
    expect((await sendRaw(world.port, ['GET /healthz HTTP/1.0\r\n\r\n'])).status).toBe(200);
    expect((await sendRaw(world.port, ['GET /healthz HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n'])).status).toBe(400);
  });
});

describe('TRACE and CONNECT', () => {
  test.each([
    ['/api/v1/assets', 'GET, HEAD, POST'],
    ['/api/v1/nothing', 'GET, HEAD'],
    ['/trpc/session.status', 'GET, HEAD, POST'],
    ['/healthz', 'GET, HEAD'],
    ['/', 'GET, HEAD'],
  ])('TRACE on %s is not allowed', async (path, allow) => {
    const answer = await sendRaw(world.port, [head(`TRACE ${path}`, 'Host: x', 'Connection: close')]);
    expect(errorOf(answer)).toMatchObject({ type: 'method_not_allowed', detail: `Allowed methods: ${allow}` });
    expect([answer.status, answer.headers.get('allow')]).toStrictEqual([405, allow]);
  });

  test('CONNECT is answered, and the connection ends', async () => {
    const id = 'mine';
    const answer = await sendRaw(world.port, [
      head('CONNECT a.example:443', 'Host: a.example:443', `X-Request-ID: ${id}`),
      'what a tunnel would carry',
    ]);
    expect(answersOf(answer)).toStrictEqual(['HTTP/1.1 405']);
    expect(errorOf(answer)).toMatchObject({ type: 'method_not_allowed', request_id: id });
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect(answer.headers.get('x-request-id')).toBe(id);
  });
});

describe('Expect: 100-continue', () => {
  const expecting = (line: string, ...headers: string[]) =>
    head(line, 'Host: x', 'Expect: 100-continue', 'Content-Length: 13', ...headers);
  const json = 'Content-Type: application/json';

  test.each([
    ['an unknown route', { line: 'POST /api/v1/nothing', headers: [], status: 404 }],
    ['a wrong method', { line: 'PUT /api/v1/assets', headers: [], status: 405 }],
    ['no credential', { line: 'POST /api/v1/assets', headers: [json], status: 401 }],
    ['a wrong media type', { line: 'POST /api/v1/assets', headers: ['auth', 'Content-Type: text/plain'], status: 415 }],
    [
      'a compressed body',
      { line: 'POST /api/v1/assets', headers: ['auth', json, 'Content-Encoding: gzip'], status: 415 },
    ],
    ['an unknown parameter', { line: 'POST /api/v1/assets?a=b', headers: ['auth', json], status: 400 }],
    [
      'an id out of range',
      { line: 'PATCH /api/v1/assets/0', headers: ['auth', 'Content-Type: application/merge-patch+json'], status: 400 },
    ],
    [
      'a bad token on /trpc',
      { line: 'POST /trpc/session.signIn', headers: [json, 'Authorization: Bearer a'], status: 401 },
    ],
    ['a GET, whose body is ignored', { line: 'GET /healthz', headers: [], status: 200 }],
  ])('%s gets its final answer at once, and the connection ends', async (_what, { line, headers, status }) => {
    const sent = headers.map((header) => (header === 'auth' ? `Authorization: Bearer ${org.token}` : header));
    const answer = await sendRaw(world.port, [expecting(line, ...sent)]);
    expect(answersOf(answer)).toStrictEqual([`HTTP/1.1 ${status}`]);
    expect(answer.headers.get('connection')).toBe('close');
  });

  const undeclared = (lines: string) => lines.replace('Content-Length: 13', 'Transfer-Encoding: chunked');

  test.each([
    ['an unknown parameter', { line: 'POST /api/v1/assets?a=b', type: json, field: 'a' }],
    [
      'an id out of range',
      { line: 'PATCH /api/v1/assets/0', type: 'Content-Type: application/merge-patch+json', field: 'asset_id' },
    ],
  ])('%s is rejected before a body of undeclared length is asked for', async (_what, { line, type, field }) => {
    const lines = undeclared(expecting(line, `Authorization: Bearer ${org.token}`, type));
    const answer = await sendRaw(world.port, [lines, 'd\r\n{"name":"ab"}\r\n0\r\n\r\n'], { end: true });
    expect(answersOf(answer)).toStrictEqual(['HTTP/1.1 400']);
    expect(errorOf(answer)).toMatchObject({ type: 'validation_error', fields: [{ field }] });
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('the size of a body comes before the query if the client does not wait to send it', async () => {
    const answer = await sendRaw(world.port, [
      head(
        'POST /api/v1/assets?a=b',
        'Host: x',
        `Authorization: Bearer ${org.token}`,
        json,
        'Transfer-Encoding: chunked',
        'Connection: close',
      ),
      `100001\r\n${' '.repeat(0x100001)}\r\n0\r\n\r\n`,
    ]);
    expect(answersOf(answer)).toStrictEqual(['HTTP/1.1 413']);
  });

  test('a body over the limit is rejected before it is asked for', async () => {
    const lines = expecting('POST /api/v1/assets', `Authorization: Bearer ${org.token}`, json);
    const answer = await sendRaw(world.port, [lines.replace('Content-Length: 13', 'Content-Length: 1048577')]);
    expect(answersOf(answer)).toStrictEqual(['HTTP/1.1 413']);
  });

  test.each([
    ['POST /api/v1/assets', '{"name":"abc"}', 201],
    ['POST /trpc/session.signIn', '{"email":"a"}', 400],
  ])('%s asks for the body where everything depends on it', async (line, body, status) => {
    const socket = connect({ port: world.port, host: '127.0.0.1' }).setEncoding('latin1');
    const authorization = line.includes('/api/') ? [`Authorization: Bearer ${org.token}`] : [];
    socket.write(expecting(line, json, 'Connection: close', ...authorization).replace(': 13', `: ${body.length}`));
    const [first] = (await once(socket, 'data')) as [string];
    expect(first).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write(body);
    const [final] = (await once(socket, 'data')) as [string];
    expect(final).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  });
});

describe('a request that is answered before its body has arrived', () => {
  const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

  test.each([
    ['without a credential', 'POST /api/v1/assets', 401],
    ['to an unknown route', 'POST /nothing', 404],
    ['with a bad token on /trpc', 'POST /trpc/session.signIn', 401],
  ])('%s is the last one of its connection', async (_what, line, status) => {
    const answer = await sendRaw(world.port, [
      head(line, 'Host: x', 'Authorization: Bearer a', 'Content-Type: application/json', 'Content-Length: 200000'),
      Buffer.alloc(100_000, ' '),
      Buffer.alloc(100_000, ' '),
      next,
    ]);
    expect(answersOf(answer)).toStrictEqual([`HTTP/1.1 ${status}`]);
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('has no effect on what was sent with it: a small body in one piece leaves the connection open', async () => {
    const body = '{"name":"a"}';
    const answer = await sendRaw(world.port, [
      `${head('POST /api/v1/assets', 'Host: x', `Content-Length: ${body.length}`)}${body}${next}`,
    ]);
    expect(answersOf(answer)).toStrictEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });
});

test('a compressed body is rejected in words of its own', async () => {
  for (const path of ['/api/v1/assets', '/trpc/assets.create']) {
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    const answer = await org.call('POST', path, { raw: '{}', headers });
    expect([answer.status, answer.headers['accept-encoding']]).toStrictEqual([415, 'identity']);
    expect(answer.text).toContain('Content-Encoding is not supported; send the body without compression');
  }
});
