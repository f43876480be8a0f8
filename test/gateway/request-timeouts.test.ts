import { beforeAll, expect, test } from 'vitest';
import { usualTimeouts } from '../../gateway/index.js';
import { sendRaw } from '../support/raw-http.js';
import { fileWorld } from '../support/shared.js';
import { createWorld, type TestOrganization } from '../support/world.js';

const world = fileWorld(() =>
  createWorld({ timeouts: { ...usualTimeouts, headersMs: 1000, requestMs: 2500, checkEveryMs: 20 } }),
);

let org: TestOrganization;

beforeAll(async () => {
  org = await world.organization();
});

/** The head of a request of 20 bytes with a credential. */
function headOf(method: string, ...headers: string[]): string {
  const lines = [`Authorization: Bearer ${org.token}`, 'Content-Type: application/json', ...headers];
  return [`${method} /api/v1/assets HTTP/1.1`, 'Host: x', ...lines, 'Content-Length: 20', '', ''].join('\r\n');
}

/** What every request that takes too long is answered with. */
const tooSlow = {
  status: 400,
  connection: 'close',
  limit: '1000000',
  error: { type: 'bad_request', detail: 'Request took too long to arrive', instance: '/' },
};

async function answerTo(...parts: string[]) {
  const { status, headers, body } = await sendRaw(world.port, parts);
  const { error } = JSON.parse(body) as { error: Record<string, unknown> };
  return { status, connection: headers.get('connection'), limit: headers.get('x-ratelimit-limit'), error };
}

test('headers have 10 seconds and a whole request has two minutes', () => {
  expect(usualTimeouts).toMatchObject({ headersMs: 10_000, requestMs: 120_000 });
});

test.each([
  ['that never end', 'GET /api/v1/assets HTTP/1.1\r\nHost: x\r\nX-Slow: '],
  ['with only a line end so far', '\r\n'],
])('headers %s are answered with 400, and the connection ends', async (_, begun) => {
  expect(await answerTo(begun)).toMatchObject(tooSlow);
});

test.each(['/trpc/assets.create', '/api/v1/assets'])(
  'a body on %s that never ends is answered once with 400, and the connection ends',
  async (path) => {
    expect(await answerTo(headOf('POST').replace('/api/v1/assets', path), '{"name":')).toMatchObject(tooSlow);
  },
);

test('a request that arrives in time is answered however many came before it on its connection', async () => {
  const body = '{"name": "In time" }';
  const requests = Array.from({ length: 3 }, () => headOf('POST') + body);
  const last = headOf('POST', 'Connection: close') + body;
  const { text } = await sendRaw(world.port, [...requests, last]);
  expect(text.match(/HTTP\/1\.1 201 /g)).toHaveLength(4);
});

test('a slow request does not delay others', async () => {
  const slow = answerTo(headOf('POST'), '{');
  expect((await org.get('/api/v1/assets')).status).toBe(200);
  expect(await slow).toMatchObject(tooSlow);
});
