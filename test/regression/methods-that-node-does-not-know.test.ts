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

test.each(['/', '/api/v1/nothing'])('%s is answered as with every other method', async (path) => {
  const put = await answerTo(`PUT ${path} HTTP/1.1`);
  expect(put).toMatchObject({ status: 404, detail: `Unknown API route: ${path}` });
  expect(await answerTo(`FOO ${path} HTTP/1.1`)).toEqual(put);
});

test('a valid request before it is answered as itself', async () => {
  const { text } = await sendRaw(world.port, ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nFOO / HTTP/1.1\r\n\r\n']);
  expect(text).not.toContain('405');
});

test.each(['FOO /api/v1/assets', 'FOO /api/v1/assets HTTP/2', 'FOO  /api/v1/assets HTTP/1.1', 'F(O /api HTTP/1.1'])(
  '%j is no request line',
  async (line) => {
    expect(await answerTo(line)).toMatchObject({ status: 400, type: 'bad_request' });
  },
);
