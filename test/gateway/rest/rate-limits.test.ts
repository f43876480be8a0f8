import { beforeEach, describe, expect, it } from 'vitest';
import { organizationKeyBudgets } from '../../../gateway/caller-limiter.js';
import '../../support/expect-error.js';
import { addSession } from '../../support/factories.js';
import type { Answer } from '../../support/answer.js';
import { createClient } from '../../support/rest-client.js';
import { fileWorld } from '../../support/shared.js';
import { createWorld } from '../../support/world.js';

const path = '/api/v1/assets';
const requests = 5;
const windowSeconds = 60;

const world = fileWorld(() =>
  createWorld({ settings: { rateLimit: { requests, windowSeconds } }, now: () => clockMs }),
);

let startMs = Date.parse('2026-05-01T12:00:00.250Z');
let clockMs: number;

// All budgets are full again.
beforeEach(() => {
  startMs += 2 * windowSeconds * 1000;
  clockMs = startMs;
});

function budgetOf({ headers }: Answer) {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => headers[`x-ratelimit-${name}`]);
  return { limit, remaining, reset };
}

/** Asks so often that nothing is left, and gives the statuses. */
async function spend(ask: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < requests; count += 1) statuses.push((await ask()).status);
  return statuses;
}

describe('the budget of a key', () => {
  it('counts down in the headers, and is full again at the reset', async () => {
    const organization = await world.organization();
    const reset = String(Math.ceil(startMs / 1000) + windowSeconds);
    for (let left = requests - 1; left >= 0; left -= 1) {
      const answer = await organization.get(path);
      expect(answer.status).toBe(200);
      expect(budgetOf(answer)).toEqual({ limit: '5', remaining: String(left), reset });
      clockMs += 1000;
    }
    const over = await organization.get(path);
    expect(over).toBeError({ type: 'rate_limited', detail: 'Retry after 55 seconds', instance: path });
    expect(over.headers['retry-after']).toBe('55');
    expect(budgetOf(over)).toEqual({ limit: '5', remaining: '0', reset });
    clockMs = Number(reset) * 1000;
    expect(budgetOf(await organization.get(path)).remaining).toBe('4');
  });

  it('never sets Retry-After below a second, and accepts a request after it', async () => {
    const organization = await world.organization();
    await spend(() => organization.get(path));
    clockMs += windowSeconds * 1000 - 1;
    const over = await organization.get(path);
    expect(over).toBeError({ type: 'rate_limited', detail: 'Retry after 1 seconds' });
    expect(over.headers['retry-after']).toBe('1');
    clockMs += 1000;
    expect((await organization.get(path)).status).toBe(200);
  });

  it('is separate from the budgets of other keys and of sessions', async () => {
    const organization = await world.organization();
    const other = await organization.withScopes(['assets:read']);
    const session = await addSession(world, organization.orgId, 'admin');
    await spend(() => organization.get(path));
    expect((await organization.get(path)).status).toBe(429);
    expect(budgetOf(await other.get(path)).remaining).toBe('4');
    expect(budgetOf(await session.get(path)).remaining).toBe('4');
  });

  it('is limited to ten times its size for all keys of an organization together', async () => {
    const organization = await world.organization();
    for (let no = 0; no < organizationKeyBudgets; no += 1) {
      const key = await organization.withScopes(['assets:read']);
      expect(await spend(() => key.get(path))).toEqual(Array(requests).fill(200));
    }
    const over = await organization.get(path);
    expect(over).toBeError({ type: 'rate_limited', detail: 'Retry after 60 seconds' });
    expect(budgetOf(over)).toMatchObject({ limit: '50', remaining: '0' });
    const session = await addSession(world, organization.orgId, 'admin');
    expect((await session.get(path)).status).toBe(200);
    expect((await (await world.organization()).get(path)).status).toBe(200);
    clockMs += windowSeconds * 1000;
    expect((await organization.get(path)).status).toBe(200);
  });

  it('does not reduce the budget of other keys after it is used up', async () => {
    const organization = await world.organization();
    const busy = await organization.withScopes(['assets:read']);
    for (let no = 0; no <= organizationKeyBudgets; no += 1) await spend(() => busy.get(path));
    expect((await organization.get(path)).status).toBe(200);
  });

  it('counts responses with any status', async () => {
    const organization = await world.organization();
    const reader = await organization.withScopes(['assets:read']);
    const answers = [
      await reader.get(`${path}/0`),
      await reader.get(`${path}/1`),
      await reader.post(path, { name: 'n' }),
      await reader.call('HEAD', path),
      await reader.get(`${path}?color=red`),
    ];
    expect(answers.map((answer) => [answer.status, budgetOf(answer).remaining])).toEqual([
      [400, '4'],
      [404, '3'],
      [403, '2'],
      [200, '1'],
      [400, '0'],
    ]);
    expect((await reader.get(path)).status).toBe(429);
  });
});

it('counts the sessions of one user together', async () => {
  const organization = await world.organization();
  const first = await addSession(world, organization.orgId, 'admin');
  const { id } = await world.db.session.create({
    data: { id: '5b1d1f2e-8f60-4e4b-8a51-6a4a1f0f9b11', userId: first.userId, orgId: organization.orgId },
  });
  const token = await world.identity.signSession({ id, userId: first.userId, orgId: organization.orgId });
  await first.get(path);
  expect(budgetOf(await createClient(world.url, token).get(path)).remaining).toBe('3');
});

describe('the order of checks', () => {
  it('reports an empty budget before a missing scope', async () => {
    const organization = await world.organization();
    const reader = await organization.withScopes(['locations:read']);
    expect(await spend(() => reader.get(path))).toEqual(Array(requests).fill(403));
    expect(await reader.get(path)).toBeError({ type: 'rate_limited' });
  });

  it('reports an invalid credential before an empty budget', async () => {
    const { orgId } = await world.organization();
    const session = await addSession(world, orgId, 'admin');
    await spend(() => session.get(path));
    expect((await session.get(path)).status).toBe(429);
    const detail = 'API key authentication required';
    expect(await session.get('/api/v1/orgs/me')).toBeError({ type: 'unauthorized', detail });
  });

  it('reports an empty budget before any error of the request', async () => {
    const organization = await world.organization();
    await spend(() => organization.get(path));
    const answers = [
      await organization.call('POST', `${path}?color=red`, { raw: '{', headers: { 'Content-Type': 'text/plain' } }),
      await organization.patch(`${path}/0`, {}),
      await organization.delete(`${path}/1`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([429, 429, 429]);
  });

  it('reports an unknown route and a wrong method before an empty budget', async () => {
    const organization = await world.organization();
    await spend(() => organization.get(path));
    expect(await organization.get('/api/v1/nothing')).toBeError({ type: 'not_found' });
    expect(await organization.call('PUT', path)).toBeError({ type: 'method_not_allowed' });
  });
});

describe('requests without a valid credential', () => {
  it('share the budget of their address, and then get 429 instead of 401', async () => {
    const organization = await world.organization();
    const expired = await organization.withScopes([], { expiresAtMs: 1000 });
    const forged = createClient(world.url, 'abc');
    const asks = [world.anonymous, forged, expired, world.anonymous, forged];
    const answers: Answer[] = [];
    for (const client of asks) answers.push(await client.get(path));
    expect(answers.map((answer) => [answer.status, budgetOf(answer).remaining])).toEqual(
      [4, 3, 2, 1, 0].map((left) => [401, String(left)]),
    );
    for (const client of [world.anonymous, forged, expired]) {
      const over = await client.get(path);
      expect(over).toBeError({ type: 'rate_limited', detail: 'Retry after 60 seconds' });
      expect(over.headers['www-authenticate']).toBeUndefined();
    }
    expect(budgetOf(await organization.get(path)).remaining).toBe('4');
    clockMs += windowSeconds * 1000;
    expect(await world.anonymous.get(path)).toBeError({ type: 'unauthorized', detail: 'Missing authorization header' });
  });

  it('cannot use up the budget of a key', async () => {
    const organization = await world.organization();
    await spend(() => world.anonymous.get(path));
    await spend(() => createClient(world.url, `${organization.token}x`).get(path));
    expect(await spend(() => organization.get(path))).toEqual(Array(requests).fill(200));
  });
});

it('sends the budget headers with every answer of the public API', async () => {
  const organization = await world.organization();
  const { post, call, get, patch } = await organization.withScopes(['assets:read', 'assets:write']);
  const created = await post(path, { name: 'n', external_key: 'K' });
  const other = await organization.withScopes(['assets:write', 'assets:read']);
  const answers: [status: number, answer: Answer][] = [
    [201, created],
    [409, await post(path, { name: 'n', external_key: 'K' })],
    [415, await call('POST', path, { raw: '{}', headers: { 'Content-Type': 'text/plain' } })],
    [413, await call('POST', path, { raw: Buffer.alloc(1_048_577, 32) })],
    [200, await patch(`${path}/${created.body.data.id}`, {})],
    [204, await other.delete(`${path}/${created.body.data.id}`)],
    [404, await other.get(`${path}/${created.body.data.id}`)],
    [429, await get(path)],
    [401, await world.anonymous.get(path)],
    [404, await world.anonymous.get('/api/v1/nothing')],
    [405, await world.anonymous.call('OPTIONS', path)],
    [301, await world.anonymous.get('/api/v1/openapi.json')],
    [301, await world.anonymous.get('/api/v1/openapi.yaml')],
  ];
  for (const [status, answer] of answers) {
    expect(answer.status, answer.text).toBe(status);
    const { limit, remaining, reset } = budgetOf(answer);
    expect(limit).toBe('5');
    expect(remaining).toMatch(/^[0-5]$/);
    expect(reset).toMatch(/^17776\d{5}$/);
  }
});
