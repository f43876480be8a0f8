import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

test('half a surrogate pair comes back as U+FFFD wherever an error quotes it', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const path = '/api/v1/assets';
  const answers = [
    await organization.call('POST', path, { raw: '{"name":"n","a\\ud800b":1}' }),
    await organization.call('POST', path, { raw: '{"name":"n","tags":[{"tag_type":"\\udc00","value":"v"}]}' }),
    await organization.get(`${path}?sort=a%ff`),
    await organization.get(`${path}?a%ff=1`),
    await organization.get(`${path}/%ff`),
    await organization.call('POST', '/trpc/assets.create', { raw: '{"name":"n","a\\ud800b":1}' }),
  ];
  for (const { status, text } of answers) {
    expect(status).toBe(400);
    expect(text).not.toMatch(/\\ud[89a-f]/i);
  }
  expect(answers[0]?.body.error.fields).toStrictEqual([
    { field: 'a\ufffdb', code: 'unknown_field', message: 'unknown field "a\ufffdb" in request body' },
  ]);
  expect(answers[5]?.text).toContain('a\ufffdb');
});
