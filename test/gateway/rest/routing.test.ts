import { describe, expect, it } from 'vitest';
import '../../support/expect-error.js';
import { createAsset, nouns, read } from '../../support/factories.js';
import type { RestClient } from '../../support/rest-client.js';
import { sharedWorld } from '../../support/world.js';

const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

const world = await sharedWorld();

describe('an unknown route', () => {
  it.each([
    '/api',
    '/api/',
    '/api/v1',
    '/api/v1/',
    '/api/v2/assets',
    '/api/v1/nothing',
    '/api/v1/assets/',
    '/api/v1/Assets',
    '/API/v1/assets',
    '/Api/V1/assets',
    '/api/v1//assets',
    '//api/v1/assets',
    '/api/v1/assets/1/',
    '/api/v1/assets/1/nothing',
    '/api/v1/assets/1/Rename',
    '/api/v1/assets/1/tags/',
    '/api/v1/assets/1/tags/1/2',
    '/api/v1/assets//history',
    '/api/v1/locations/1/parents',
    '/api/v1/locations/1/history',
    '/api/v1/orgs',
    '/api/v1/orgs/1',
    '/api/v1/reports',
    '/api/v1/tags',
    '/api/v1/assets.json',
  ])('%s is reported before the credential is checked', async (path) => {
    const expected = { type: 'not_found', detail: `Unknown API route: ${path}`, instance: path };
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) {
      expect(await world.anonymous.call(method, `${path}?limit=0`)).toBeError(expected);
    }
  });

  it('answers HEAD without a body', async () => {
    const answer = await world.anonymous.call('HEAD', '/api/v1/nothing');
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([404, '', 'application/json']);
  });
});

describe('methods', () => {
  it.each(['PUT', 'OPTIONS', 'TRACE', 'PURGE', 'PROPFIND', 'LOCK', 'REPORT', 'QUERY'])(
    '%s is rejected',
    async (method) => {
      const answer = await world.anonymous.call(method, '/api/v1/assets');
      expect(answer).toBeError({ type: 'method_not_allowed', detail: 'Allowed methods: GET, HEAD, POST' });
      expect(answer.headers['allow']).toBe('GET, HEAD, POST');
    },
  );

  it('HEAD is rejected on a path without GET', async () => {
    for (const [path, allow] of [
      ['/api/v1/assets/1/tags', 'POST'],
      ['/api/v1/locations/1/tags/1', 'DELETE'],
      ['/api/v1/assets/1/rename', 'POST'],
    ] as const) {
      const answer = await world.anonymous.call('HEAD', path);
      expect([answer.status, answer.text, answer.headers['allow']]).toEqual([405, '', allow]);
    }
  });

  it('cannot be overridden by a header', async () => {
    const organization = await world.organization();
    const asset = await createAsset(organization);
    const path = `/api/v1/assets/${asset.id}`;
    for (const name of ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override']) {
      const answer = await organization.call('GET', path, { headers: { [name]: 'DELETE' } });
      expect(answer.status).toBe(200);
      expect((await organization.call('POST', path, { body: {}, headers: { [name]: 'DELETE' } })).status).toBe(405);
    }
    expect(await read(organization, nouns.assets, asset.id)).toEqual(asset);
  });
});

describe('CORS', () => {
  it('is not supported', async () => {
    const organization = await world.organization();
    const headers = { Origin: 'https://example.com' };
    for (const answer of [
      await organization.call('GET', '/api/v1/assets', { headers }),
      await organization.call('POST', '/api/v1/assets', { body: { name: 'n' }, headers }),
      await world.anonymous.call('OPTIONS', '/api/v1/assets', {
        headers: { ...headers, 'Access-Control-Request-Method': 'POST' },
      }),
    ]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });
});

describe('conditional and idempotency headers', () => {
  it('are ignored', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    const first = await organization.get(`/api/v1/assets/${id}`);
    expect(first.headers['etag']).toBeUndefined();
    expect(first.headers['last-modified']).toBeUndefined();
    const tomorrow = new Date(Date.now() + 86_400_000).toUTCString();
    const conditions: Record<string, string>[] = [{ 'If-None-Match': '*' }, { 'If-Modified-Since': tomorrow }];
    for (const headers of conditions) {
      const answer = await organization.call('GET', `/api/v1/assets/${id}`, { headers });
      expect([answer.status, answer.text]).toEqual([200, first.text]);
    }
    const headers = { 'Idempotency-Key': 'once' };
    const keys = [];
    for (const name of ['a', 'b']) {
      keys.push(
        (await organization.call('POST', '/api/v1/assets', { body: { name }, headers })).body.data.external_key,
      );
    }
    expect(keys).toEqual(['ASSET-0002', 'ASSET-0003']);
  });

  it('do not prevent a write', async () => {
    const organization = await world.organization();
    const { id } = await createAsset(organization);
    const answer = await organization.call('PATCH', `/api/v1/assets/${id}`, {
      body: { name: 'b' },
      headers: { 'If-Match': '"x"' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('the request id', () => {
  async function everyKind(client: RestClient, headers: Record<string, string>) {
    return [
      await client.call('GET', '/api/v1/assets', { headers }),
      await client.call('HEAD', '/api/v1/assets', { headers }),
      await client.call('POST', '/api/v1/assets', { body: { name: 'n' }, headers }),
      await client.call('GET', '/api/v1/assets/0', { headers }),
      await client.call('GET', '/api/v1/nothing', { headers }),
      await client.call('PUT', '/api/v1/assets', { headers }),
      await client.call('GET', '/api/v1/openapi.json', { headers }),
      await world.anonymous.call('GET', '/api/v1/assets', { headers }),
    ];
  }

  it('is a new ULID if the request has none', async () => {
    const organization = await world.organization();
    for (const headers of [{}, { 'X-Request-ID': ' ' }]) {
      const ids = (await everyKind(organization, headers)).map((answer) => answer.headers['x-request-id'] ?? '');
      for (const id of ids) expect(id).toMatch(ulid);
      expect(new Set(ids).size).toBe(ids.length);
    }
  });

  it('is returned unchanged if the request has one', async () => {
    const organization = await world.organization();
    for (const id of ['abc', '0', "a b;c=<script>&'%00", 'x'.repeat(1000)]) {
      for (const answer of await everyKind(organization, { 'X-Request-ID': id })) {
        expect(answer.headers['x-request-id']).toBe(id);
        // An error quotes it too.
        expect(answer.body?.error?.request_id ?? id).toBe(id);
      }
    }
  });
});
