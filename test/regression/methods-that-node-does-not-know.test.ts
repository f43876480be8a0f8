import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../support/raw-http.js';
import { createWorld, type World } from '../support/world.js';

let world: World;

beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

async function answerTo(requestLine: string) {
  const { status, headers, body } = await sendRaw(world.port, [`${requestLine}\r\nHost: x\r\n\r\n`]);
  const { error } = JSON.parse(body) as { error: { type: string; detail: string; instance: string } };
  return { status, allow: headers.get('allow'), ...error };
}

test.each([
  ['FOO', '/api/v1/assets', 'GET, HEAD, POST'],
  ['get', '/api/v1/assets/7', 'GET, HEAD, PATCH, DELETE'],
  ['X-Y', '/api/v1/assets/7/tags?a=b', 'POST'],
  ['FOO', '/api/openapi.json', 'GET, HEAD'],
  ['FOO', '/trpc/assets.get', 'GET, HEAD, POST'],
  ['FOO', '/', 'GET, HEAD'],
])('%s %s is answered with the methods that are supported', async (method, target, allow) => {
  expect(await answerTo(`${method} ${target} HTTP/1.1`)).toMatchObject({
    status: 405,
    allow,
    type: 'method_not_allowed',
    detail: `Allowed methods: ${allow}`,
    instance: target.split('?')[0],
  });
});

test('an unknown route has no methods', async () => {
  expect(await answerTo('FOO /api/v1/nothing HTTP/1.1')).toMatchObject({
    status: 404,
    detail: 'Unknown API route: /api/v1/nothing',
  });
});

test.each(['FOO /api/v1/assets', 'FOO /api/v1/assets HTTP/2', 'FOO  /api/v1/assets HTTP/1.1', 'F(O /api HTTP/1.1'])(
  '%j is no request line',
  async (line) => {
    expect(await answerTo(line)).toMatchObject({ status: 400, type: 'bad_request' });
  },
);
