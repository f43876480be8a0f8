import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { eventTypes } from '../../../server/notifying/events/event-types.js';
import { fileWorld } from '../../support/shared.js';
import { createWorld } from '../../support/world.js';

// Contract 10: where the description is found, and where it used to be.

const world = fileWorld(() => createWorld({ settings: { baseUrl: 'https://things.example.org' } }));

test('is served as JSON to everyone, with the address of the service', async () => {
  const answer = await world.anonymous.get('/api/openapi.json');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/json');
  expect(answer.body).toMatchObject({ openapi: '3.0.3', servers: [{ url: 'https://things.example.org' }] });
});

test('says the same as YAML, without aliases that a reader would have to follow', async () => {
  const answer = await world.anonymous.get('/api/openapi.yaml');
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('application/yaml');
  expect(answer.text).not.toMatch(/: [&*]\w/);
  expect(parse(answer.text)).toEqual((await world.anonymous.get('/api/openapi.json')).body);
});

test('the webhooks are described beside it, in both forms', async () => {
  const { status, headers, body } = await world.anonymous.get('/api/webhooks.json');
  expect([status, headers['content-type']]).toEqual([200, 'application/json']);
  expect(body.openapi).toBe('3.1.0');
  expect(Object.keys(body.webhooks)).toEqual([...eventTypes, 'webhook.test']);
  const yaml = await world.anonymous.get('/api/webhooks.yaml');
  expect(yaml.headers['content-type']).toBe('application/yaml');
  expect(parse(yaml.text)).toEqual(body);
  expect((await world.anonymous.get('/webhooks.json')).status).toBe(404);
});

test.each(['json', 'yaml'])(
  'other addresses lead to the canonical one for %s, with the query they had',
  async (format) => {
    for (const prefix of ['', '/api/v1']) {
      const answer = await world.anonymous.get(`${prefix}/openapi.${format}?a=b`);
      expect([answer.status, answer.headers['location'], answer.text]).toEqual([301, `/api/openapi.${format}?a=b`, '']);
      expect(answer.headers['x-request-id']).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
      expect(answer.headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    }
  },
);

test('takes GET and HEAD', async () => {
  const head = await world.anonymous.call('HEAD', '/api/openapi.json');
  expect([head.status, head.text]).toEqual([200, '']);
  const get = await world.anonymous.get('/api/openapi.json');
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.text)));
  const post = await world.anonymous.call('POST', '/api/openapi.yaml');
  expect([post.status, post.headers['allow']]).toEqual([405, 'GET, HEAD']);
  expect(post.body.error.detail).toBe('Allowed methods: GET, HEAD');
});
