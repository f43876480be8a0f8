import { expect, test } from 'vitest';
import { fieldErrorsOf } from '../../server/index.js';
import { addSession } from '../support/factories.js';
import { sharedWorld } from '../support/world.js';

// The detail counted only the entries that were reported, and parameters had no limit.
const world = await sharedWorld();
const organization = await world.organization();

const unknownKeys = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, 0]));
const isFirst = (n: number) => ({
  field: `k${n}`,
  code: 'unknown_field',
  message: `unknown field "k${n}" in request body`,
});
const thousand = Array.from({ length: 1000 }, (_, n) => isFirst(n));

test('the first thousand of them are reported, and all are counted', async () => {
  const { status, body } = await organization.post('/api/v1/assets', unknownKeys);
  expect(status).toBe(400);
  expect(body.error.detail).toBe('unknown field "k0" in request body (and 49999 more validation errors)');
  expect(body.error.fields).toStrictEqual(thousand);
});

test('the unknown keys of all objects in a list count together', async () => {
  const few = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`k${n}`, 0]));
  const { body } = await organization.post('/api/v1/assets', { tags: [few, unknownKeys], other: 0, name: 'Pump' });
  expect(body.error.detail).toBe('unknown field "k0" in request body (and 50600 more validation errors)');
  expect(body.error.fields).toHaveLength(1000);
  const inTag = (tag: number, n: number) => ({ ...isFirst(n), params: { path: `tags[${tag}].k${n}` } });
  expect(body.error.fields[599]).toStrictEqual(inTag(0, 599));
  expect(body.error.fields[600]).toStrictEqual(inTag(1, 0));
  expect(body.error.fields[999]).toStrictEqual(inTag(1, 399));
});

test.each(['savedViews.create', 'assets.create'])('the same on /trpc: %s', async (procedure) => {
  const person = await addSession(world, organization.orgId, 'manager');
  const { status, body } = await person.post(`/trpc/${procedure}`, unknownKeys);
  expect(status).toBe(400);
  const { error } = body.error.data;
  expect(error.detail).toBe('unknown field "k0" in request body (and 49999 more validation errors)');
  expect(error.fields).toStrictEqual(thousand);
});

test('of other failures, one for each field, the first thousand are reported too', () => {
  const issues = Array.from({ length: 3000 }, (_, n) => ({
    code: 'custom' as const,
    path: ['columns', n % 1500],
    message: 'wrong',
  }));
  const { fields, count } = fieldErrorsOf(issues);
  expect([fields.length, count]).toStrictEqual([1000, 1500]);
});

test('of unknown parameters, the first thousand are reported too', async () => {
  const names = Array.from({ length: 1500 }, (_, n) => `k${n}`);
  for (const path of ['/api/v1/assets', '/api/v1/assets/1']) {
    const { body } = await organization.get(`${path}?${names.join('&')}`);
    expect(body.error.detail).toBe('unknown parameter: k0 (and 1499 more validation errors)');
    expect(body.error.fields).toHaveLength(1000);
  }
});
