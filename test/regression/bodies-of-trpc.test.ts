import { describe, expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

const world = await sharedWorld();

const org = await world.organization();

const create = (raw: string, contentType = 'application/json') =>
  org.call('POST', '/trpc/assets.create', { raw, headers: { 'Content-Type': contentType } });

describe('the nesting of JSON on /trpc', () => {
  const nested = (levels: number) => `{"name":"a","metadata":{"a":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

  test('has 200 levels at most, as on the public API', async () => {
    expect((await create(nested(198))).status).toBe(200);
    for (const levels of [199, 250_000]) {
      const answer = await create(nested(levels));
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('Request body is nested too deeply');
    }
  });

  test('so has the input in an address, of a call and of a live view', async () => {
    for (const name of ['assets.list', 'scans.live']) {
      const ask = (levels: number) => org.get(`/trpc/${name}?input=${'['.repeat(levels)}${']'.repeat(levels)}`);
      expect((await ask(200)).text).not.toContain('nested too deeply');
      expect((await ask(201)).text).toContain('Request input is nested too deeply');
    }
  });
});

describe('the media type of a body on /trpc', () => {
  test.each(['application/json; charset=utf-8', 'Application/JSON'])('can be %s', async (contentType) => {
    expect((await create('{"name":"a"}', contentType)).status).toBe(200);
  });

  test.each(['multipart/form-data; boundary=a', 'application/octet-stream', 'text/plain', ''])(
    'cannot be %s',
    async (contentType) => {
      const answer = await create('{"name":"a"}', contentType);
      expect(answer.status).toBe(415);
      expect(answer.text).toContain('Content-Type must be application/json');
    },
  );

  test('is not asked of requests without one', async () => {
    expect((await org.get('/trpc/assets.list?input=%7B%7D')).status).toBe(200);
  });
});
