import { describe, expect, test } from 'vitest';
import { type RawAnswer, sendRaw } from '../support/raw-http.js';
import { sharedWorld } from '../support/world.js';

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const world = await sharedWorld();

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

describe('malformed HTTP', () => {
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
    ['an unknown expectation', request('POST /api/v1/assets', ['Expect: wonders', 'Content-Length: 0']), 401],
    [
      'an upgrade',
      'GET /api/v1/assets HTTP/1.1\r\nHost: x\r\nConnection: upgrade, close\r\nUpgrade: websocket\r\n\r\n',
      401,
    ],
    ['the asterisk', request('OPTIONS *'), 404],
    ['a path with dots', request('GET /api/v1/../v1/assets'), 404],
    ['an escaped slash', request('GET /api/v1%2Fassets'), 404],
  ])('%s gets the envelope', async (_what, text, status) => {
    const answer = await sendRaw(world.port, [text]);
    expect(answer.status).toBe(status);
    expect(errorOf(answer).request_id).toMatch(ulid);
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toStrictEqual([]);
  });

  test('the credential is found behind a thousand small headers', async () => {
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
