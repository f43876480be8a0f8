import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { createWorld } from '../support/world.js';

// Unquoted timestamps became dates in parsers of YAML 1.1, such as PyYAML and SnakeYAML.
test('the description has the same values for a parser of YAML 1.1', async () => {
  await using world = await createWorld();
  const { body } = await world.anonymous.get('/api/openapi.json');
  const { text } = await world.anonymous.get('/api/openapi.yaml');
  expect(parse(text, { version: '1.1' })).toStrictEqual(body);
});
