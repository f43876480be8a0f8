import { expect, test } from 'vitest';
import { sendRaw } from '../support/raw-http.js';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

test.each([
  ['/api/v1/assets', 'GET, HEAD, POST', '/api/v1/assets'],
  ['/api/v1/assets/7/tags?a=b', 'POST', '/api/v1/assets/7/tags'],
  ['/trpc/assets.get', 'GET, HEAD, POST', '/trpc/assets.get'],
  ['/api/v1/nothing', 'GET, HEAD', '/api/v1/nothing'],
  ['x.example:443', 'GET, HEAD', '/'],
])('CONNECT %s is answered with the methods of the path', async (target, allow, instance) => {
  const { status, headers, body } = await sendRaw(world.port, [`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`]);
  expect([status, headers.get('allow')]).toEqual([405, allow]);
  const { error } = JSON.parse(body) as { error: object };
  expect(error).toMatchObject({ type: 'method_not_allowed', detail: `Allowed methods: ${allow}`, instance });
});
