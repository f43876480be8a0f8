import { beforeEach, describe, expect, test } from 'vitest';
import { addSession } from '../support/factories.js';
import { sendRaw } from '../support/raw-http.js';
import { createClient, type RestClient } from '../support/rest-client.js';
import { fileWorld } from '../support/shared.js';
import { createWorld } from '../support/world.js';

const requests = 30;

const world = fileWorld(() =>
  createWorld({ settings: { rateLimit: { requests, windowSeconds: 60 } }, now: () => clockMs }),
);

let clockMs = Date.parse('2026-05-01T12:00:00Z');

// All budgets are full again.
beforeEach(() => {
  clockMs += 3_600_000;
});

function batch(calls: number, procedure = 'session.status'): string {
  return `/trpc/${Array.from({ length: calls }, () => procedure).join(',')}?batch=1&input=%7B%7D`;
}

async function left(client: RestClient, path: string): Promise<[status: number, remaining: string | undefined]> {
  const answer = await client.get(path);
  return [answer.status, answer.headers['x-ratelimit-remaining']];
}

describe('a batch', () => {
  test('counts each of its calls', async () => {
    expect(await left(world.anonymous, batch(20))).toStrictEqual([200, '10']);
    expect(await left(world.anonymous, batch(8).replaceAll(',', '%2C'))).toStrictEqual([200, '2']);
    expect(await left(world.anonymous, batch(1))).toStrictEqual([200, '1']);
  });

  test('of more than 20 calls is rejected, and counted as well', async () => {
    const answer = await world.anonymous.get(batch(21));
    expect([answer.status, answer.headers['x-ratelimit-remaining']]).toStrictEqual([400, '10']);
    expect(answer.text).toContain('Batch call exceeds maximum size');
  });

  test('that is larger than what is left is rejected as a whole, with the time to wait', async () => {
    await world.anonymous.get(batch(20));
    clockMs += 15_000;
    const answer = await world.anonymous.get(batch(11));
    expect([answer.status, answer.headers['retry-after']]).toStrictEqual([429, '45']);
    expect(answer.text).toContain('Retry after 45 seconds');
    expect(await left(world.anonymous, batch(10))).toStrictEqual([200, '0']);
    clockMs += 45_000;
    expect(await left(world.anonymous, batch(20))).toStrictEqual([200, '10']);
  });
});

describe('the budget', () => {
  test('of a person is the one that the public API counts', async () => {
    const { orgId } = await world.organization();
    const session = await addSession(world, orgId, 'viewer');
    expect(await left(session, batch(20, 'session.me'))).toStrictEqual([200, '10']);
    expect(await left(session, '/api/v1/assets')).toStrictEqual([200, '9']);
    expect(await left(world.anonymous, batch(1))).toStrictEqual([200, '29']);
  });

  test('of an API key is spent on both', async () => {
    const organization = await world.organization();
    const calls = batch(20, 'assets.list').replace('%7B%7D', '%7B%220%22%3A%7B%7D%7D');
    expect((await left(organization, calls))[1]).toBe('10');
    expect(await left(organization, '/api/v1/assets')).toStrictEqual([200, '9']);
    expect((await left(organization, batch(10, 'assets.list')))[0]).toBe(429);
  });

  test('of an address is spent by requests without a valid credential, and is separate from the budget of a key', async () => {
    const organization = await world.organization();
    const forged = createClient(world.url, `${organization.token}x`);
    expect(await left(forged, batch(20))).toStrictEqual([401, '10']);
    expect(await left(world.anonymous, batch(10))).toStrictEqual([200, '0']);
    expect((await left(forged, batch(1)))[0]).toBe(429);
    expect((await left(world.anonymous, '/api/v1/assets'))[0]).toBe(429);
    expect((await left(organization, '/api/v1/assets'))[0]).toBe(200);
  });

  test('is asked before a body is read', async () => {
    await world.anonymous.get(batch(20));
    await world.anonymous.get(batch(10));
    const answer = await world.anonymous.call('POST', '/trpc/session.signIn', {
      raw: Buffer.alloc(100_000),
      headers: { 'Content-Type': 'application/json' },
    });
    expect(answer.status).toBe(429);
  });
});

describe('a large body', () => {
  const asset = JSON.stringify({ name: 'Pump' }).padEnd(3 * 65_536 + 1, ' ');

  const path = '/trpc/assets.create';

  test('counts once more for each 64 KiB', async () => {
    const organization = await world.organization();
    const answer = await organization.call('POST', path, { raw: asset });
    expect(answer.headers['x-ratelimit-remaining']).toBe('26');
    const small = await organization.call('POST', path, { raw: asset.slice(0, 65_535) });
    expect(small.headers['x-ratelimit-remaining']).toBe('25');
  });

  test('counts as much in chunks', async () => {
    const { token } = await world.organization();
    const lines = [`POST ${path} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${token}`, 'Connection: close'];
    const head = [...lines, 'Content-Type: application/json', 'Transfer-Encoding: chunked', '', ''].join('\r\n');
    const answer = await sendRaw(world.port, [head, `${asset.length.toString(16)}\r\n${asset}\r\n0\r\n\r\n`]);
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('26');
  });
});

describe('an unauthenticated caller is rejected a second later', () => {
  /** Resolves with the status of the answer and whether it took a second; timers may be a millisecond early. */
  async function timed(request: () => Promise<{ status: number }>): Promise<[status: number, isLate: boolean]> {
    const begunMs = performance.now();
    const { status } = await request();
    return [status, performance.now() - begunMs > 990];
  }

  test('whose budget is spent', async () => {
    await world.anonymous.get(batch(20));
    expect(await timed(() => world.anonymous.get(batch(20)))).toStrictEqual([429, true]);
  });

  test('who tried too many passwords', async () => {
    const signIn = () =>
      world.anonymous.call('POST', '/trpc/session.signIn', {
        body: { email: 'ada@example.com', password: 'a wrong password' },
      });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await signIn()).status).toBe(401);
    expect(await timed(signIn)).toStrictEqual([429, true]);
  });
});

test('the description is rejected as well once the budget of an address is spent', async () => {
  await world.anonymous.get(batch(20));
  await world.anonymous.get(batch(10));
  for (const path of ['/api/openapi.json', '/api/openapi.yaml', '/openapi.json']) {
    const answer = await world.anonymous.get(path);
    expect([path, answer.status, answer.headers['retry-after']]).toStrictEqual([path, 429, '60']);
  }
});
