import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { sharedWorld } from '../support/world.js';

// Unquoted timestamps became dates in parsers of YAML 1.1, such as PyYAML and SnakeYAML.
test('the description has the same values for a parser of YAML 1.1', async () => {
  const world = await sharedWorld();
  const { body } = await world.anonymous.get('/api/openapi.json');
  const { text } = await world.anonymous.get('/api/openapi.yaml');
  expect(parse(text, { version: '1.1' })).toStrictEqual(body);
});
