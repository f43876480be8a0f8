import { expect, test } from 'vitest';
import { requireDescribed } from '../../support/described.js';
import type { Answer } from '../../support/answer.js';
import { sharedWorld } from '../../support/world.js';

// The check that all tests over REST lean on notices an answer that differs from the description in any one thing.

const world = await sharedWorld();
const organization = await world.organization();
const asset = await organization.post('/api/v1/assets', {
  name: 'Pallet',
  tags: [{ tag_type: 'rfid', value: 'E280' }],
});
const path = `/api/v1/assets/${asset.body.data.id}`;

type Spoilt = Partial<Omit<Answer, 'headers'>> & { headers?: Record<string, string | undefined> };

/** Returns the result of the check for a modified answer; the original answer passes. */
async function verdict(exchange: { method: string; path: string; answer: Answer }, spoilt: Spoilt): Promise<string> {
  await requireDescribed(world.url, exchange);
  const headers = Object.entries({ ...exchange.answer.headers, ...spoilt.headers }).filter(([, value]) => value);
  const answer: Answer = { ...exchange.answer, ...spoilt, headers: Object.fromEntries(headers) as Answer['headers'] };
  if (spoilt.body !== undefined) answer.text = JSON.stringify(spoilt.body);
  return requireDescribed(world.url, { ...exchange, answer }).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
}

async function ofAsset(spoilt: Spoilt): Promise<string> {
  return verdict({ method: 'GET', path, answer: await organization.get(path) }, spoilt);
}

test('accepts the answers of the service, and paths outside of the API', async () => {
  expect(await ofAsset({})).toBe('nothing');
  const elsewhere = await world.anonymous.get('/healthz');
  await requireDescribed(world.url, { method: 'GET', path: '/healthz', answer: elsewhere });
});

test('a status that the operation does not declare', async () => {
  expect(await ofAsset({ status: 409 })).toContain(
    'getAsset declares 200, 400, 401, 403, 404, 405, 429, 500, 503 and no 409',
  );
});

test('a declared header that is missing, of another form, or not declared for the answer', async () => {
  expect(await ofAsset({ headers: { 'x-request-id': undefined } })).toContain('X-Request-ID is declared and missing');
  expect(await ofAsset({ headers: { 'x-ratelimit-limit': 'many' } })).toContain(
    'X-RateLimit-Limit: the value must be integer',
  );
  expect(await ofAsset({ headers: { 'retry-after': '5' } })).toContain('Retry-After is not declared for this answer');
});

test('a property too many, too few, or of another kind, at any depth', async () => {
  const { data } = (await organization.get(path)).body;
  const { name: _name, ...nameless } = data;
  expect(await ofAsset({ body: { data: { ...data, color: 'blue' } } })).toMatch(/\/data must NOT.*: color/);
  expect(await ofAsset({ body: { data: nameless } })).toContain("/data must have required property 'name'");
  expect(await ofAsset({ body: { data: { ...data, name: null } } })).toContain('/data/name must be string');
  expect(await ofAsset({ body: { data: { ...data, id: 0 } } })).toContain('/data/id must be >= 1');
  expect(await ofAsset({ body: { data: { ...data, id: 2147483648 } } })).toContain('/data/id must be <= 2147483647');
  expect(await ofAsset({ body: { data: { ...data, tags: [{ ...data.tags[0], reader: 1 }] } } })).toContain(
    '/data/tags/0',
  );
  expect(await ofAsset({ body: { data, total_count: 1 } })).toContain('total_count');
});

test('an instant without its three decimals, or in another zone', async () => {
  const { data } = (await organization.get(path)).body;
  for (const created_at of ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.1Z', '2026-05-01T10:00:00.000+00:00']) {
    expect(await ofAsset({ body: { data: { ...data, created_at } } })).toContain('/data/created_at must match format');
  }
});

test('another media type, a body that is no JSON, and none at all', async () => {
  expect(await ofAsset({ headers: { 'content-type': 'text/html' } })).toContain('the media type is text/html');
  expect(await ofAsset({ headers: { 'content-type': undefined } })).toContain('the media type is undefined');
  expect(await ofAsset({ text: '', body: undefined })).toContain('the body is no JSON');
});

test('a body where there is none', async () => {
  const answer = await organization.call('HEAD', path);
  expect(await verdict({ method: 'HEAD', path, answer }, { text: '{}' })).toContain(
    'a body where there should be none',
  );
  const made = await organization.post('/api/v1/assets', { name: 'Another' });
  const gone = `/api/v1/assets/${made.body.data.id}`;
  const deleted = await organization.delete(gone);
  const exchange = { method: 'DELETE', path: gone, answer: deleted };
  expect(await verdict(exchange, { text: '{}' })).toContain('a body where there should be none');
});

test('an envelope that contradicts the answer around it', async () => {
  const missing = { method: 'GET', path: '/api/v1/assets/999', answer: await organization.get('/api/v1/assets/999') };
  const { error } = missing.answer.body;
  const spoil = (change: object) => verdict(missing, { body: { error: { ...error, ...change } } });
  expect(await spoil({ status: 400 })).toContain('error.status is 400, not 404');
  expect(await spoil({ title: 'Nothing' })).toContain('error.title is "Nothing", not "Not found"');
  expect(await spoil({ instance: '/api/v1/assets' })).toContain('error.instance');
  expect(await spoil({ request_id: 'X' })).toContain('error.request_id');
  expect(await spoil({ type: 'conflict' })).toContain('the type "conflict" does not go with the status');
  expect(await spoil({ type: 'gone' })).toContain('/error/type must be equal to one of the allowed values');
  expect(await spoil({ fields: [{ field: 'a', code: 'odd', message: 'b' }] })).toContain('/error/fields/0/code');
});

test('a path or a method that does not exist, answered as if it did', async () => {
  const unknown = { method: 'GET', path: '/api/v1/nothing', answer: await organization.get('/api/v1/nothing') };
  expect(await verdict(unknown, { status: 200 })).toContain('the status is not 404');
  const refused = { method: 'PUT', path, answer: await organization.call('PUT', path) };
  expect(await verdict(refused, { status: 404 })).toContain('the status is not 405');
  expect(await verdict(refused, { headers: { allow: 'GET, PATCH' } })).toContain(
    'Allow is not GET, HEAD, PATCH, DELETE',
  );
});

test('takes nothing of the budget of the address that the tests ask from', async () => {
  const other = await sharedWorld();
  const first = await other.anonymous.get('/api/v1/nothing');
  const second = await other.anonymous.get('/api/v1/nothing');
  const remaining = [first, second].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  expect(remaining[1]).toBe((remaining[0] ?? 0) - 1);
});
