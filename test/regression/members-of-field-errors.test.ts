import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

// Entries of `fields` began with field, message and code.
test('an entry of fields has its members in the order of the contract', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const long = await organization.call('POST', '/api/v1/assets', { raw: `{"name":"${'n'.repeat(256)}"}` });
  expect(long.text).toContain(
    '"fields":[{"field":"name","code":"too_long","message":"name must be at most 255 characters","params":{"max_length":255}}]',
  );
  const unknown = await organization.get('/api/v1/assets?a=1');
  expect(unknown.text).toContain('"fields":[{"field":"a","code":"unknown_field","message":"unknown parameter: a"}]');
});

// Only field and message were repaired, not the path in params.
test('half a surrogate pair in the path of an entry comes back as U+FFFD', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const raw = '{"name":"n","tags":[{"tag_type":"rfid","value":"v","a\\ud800":1}]}';
  const answer = await organization.call('POST', '/api/v1/assets', { raw });
  expect(answer.text).not.toMatch(/\\ud[89a-f]/i);
  expect(answer.body.error.fields[0].params).toStrictEqual({ path: 'tags[0].a\ufffd' });
});
