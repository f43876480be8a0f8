import { expect, test } from 'vitest';
import { sendRaw } from '../support/raw-http.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

async function answerTo(requestLine: string) {
  const { status, headers, body } = await sendRaw(world.port, [
    `${requestLine}\r\nHost: x\r\nConnection: close\r\n\r\n`,
  ]);
  const { error } = JSON.parse(body) as { error: { type: string; detail: string; instance: string } };
  const { type, detail, instance } = error;
  return { status, allow: headers.get('allow'), type, detail, instance };
}

test.each([
  ['FOO', '/api/v1/assets', 'GET, HEAD, POST'],
  ['get', '/api/v1/assets/7', 'GET, HEAD, PATCH, DELETE'],
  ['X-Y', '/api/v1/assets/7/tags?a=b', 'POST'],
  ['FOO', '/api/openapi.json', 'GET, HEAD'],
  ['FOO', '/trpc/assets.get', 'GET, HEAD, POST'],
  ['FOO', '/files/images', 'POST'],
  ['TRACE', '/files/images', 'POST'],
  ['FOO', '/files/images/7', 'GET, HEAD'],
  ['FOO', '/healthz', 'GET, HEAD'],
])('%s %s is answered with the methods that are supported', async (method, target, allow) => {
  expect(await answerTo(`${method} ${target} HTTP/1.1`)).toMatchObject({
    status: 405,
    allow,
    type: 'method_not_allowed',
    detail: `Allowed methods: ${allow}`,
    instance: target.split('?')[0],
  });
});

test.each([
  ['one id', 'X-Request-ID:  ord\xe9r \xc3\xa9\t', 'ord\xe9r \xc3\xa9'],
  ['an id in lower case', 'x-request-id:7', '7'],
  ['two ids', 'X-Request-ID: a\r\nX-Request-ID: b', 'a, b'],
])('%s of a request with an unknown method is returned unchanged', async (_what, header, id) => {
  const { headers, body } = await sendRaw(world.port, [`FOO /api/v1/assets HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`]);
  expect(headers.get('x-request-id')).toBe(id);
  const { error } = JSON.parse(Buffer.from(body, 'latin1').toString()) as { error: { request_id: string } };
  expect(error.request_id).toBe(id);
});

test('an id after the headers, or an empty one, is not the id of the request', async () => {
  const { headers } = await sendRaw(world.port, [
    'FOO /api/v1/assets HTTP/1.1\r\nHost: x\r\nX-Request-ID: \r\n\r\nX-Request-ID: a\r\n\r\n',
  ]);
  expect(headers.get('x-request-id')).toMatch(/^[\dA-HJKMNP-TV-Z]{26}$/);
});

test.each(['/', '/api/v1/nothing'])('%s is answered as with every other method', async (path) => {
  const put = await answerTo(`PUT ${path} HTTP/1.1`);
  expect(put).toMatchObject({ status: 404, detail: `Unknown API route: ${path}` });
  expect(await answerTo(`FOO ${path} HTTP/1.1`)).toEqual(put);
});

const get = 'GET /api/v1/orgs/me HTTP/1.1\r\nHost: x\r\n\r\n';
const post = 'POST /api/v1/assets HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}';

/** Returns the answers to requests that arrive in one packet. */
async function answersTo(packet: string) {
  const { text } = await sendRaw(world.port, [packet]);
  const envelopes = text.match(/^\{"error".*?\}\}(?=HTTP|$)/gm) ?? [];
  return {
    statuses: [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    last: (JSON.parse(envelopes.at(-1) ?? '{}') as { error?: { detail: string; instance: string } }).error,
  };
}

test.each([
  ['a request without a body', get, [401]],
  ['two requests', get + get, [401, 401]],
  ['a request with a body', post, [401]],
])('in one packet with %s, the method is answered as if it came alone', async (_what, before, earlier) => {
  const { statuses, last } = await answersTo(`${before}FOO /api/v1/assets/7?a=b HTTP/1.1\r\nHost: x\r\n\r\n${get}`);
  expect(statuses).toEqual([...earlier, 405]);
  expect(last).toMatchObject({ detail: 'Allowed methods: GET, HEAD, PATCH, DELETE', instance: '/api/v1/assets/7' });
});

test.each([
  ['a malformed header', 'GET /api/v1/locations HTTP/1.1\r\nBad header: x\r\n\r\n', '/api/v1/locations'],
  ['too many headers', `GET /api/v1/locations HTTP/1.1\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '/api/v1/locations'],
  ['no request line', 'BAD\r\n\r\n', '/'],
])('%s after a valid request is not reported with the path of that request', async (_what, request, instance) => {
  expect(await answersTo(get + request)).toMatchObject({ statuses: [401, 400], last: { instance } });
});

test.each(['FOO /api/v1/assets', 'FOO /api/v1/assets HTTP/2', 'FOO  /api/v1/assets HTTP/1.1', 'F(O /api HTTP/1.1'])(
  '%j is no request line',
  async (line) => {
    expect(await answerTo(line)).toMatchObject({ status: 400, type: 'bad_request' });
  },
);
