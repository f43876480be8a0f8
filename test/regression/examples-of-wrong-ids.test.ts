import { expect, test } from 'vitest';
import { sharedWorld } from '../support/world.js';

type Example = {
  example?: { error: Record<string, unknown> };
  examples?: Record<string, { value: { error: object } }>;
};
type Described = {
  paths: Record<
    string,
    Record<string, { requestBody?: object; responses: Record<string, { content: Record<string, Example> }> }>
  >;
};

// The instance had an id that is allowed, beside the message that it is too small.
test('the described error of a wrong id is what its path gets', async () => {
  const world = await sharedWorld();
  const organization = await world.organization();
  const { paths } = (await world.anonymous.get('/api/openapi.json')).body as Described;
  const operations = Object.entries(paths)
    .filter(([path]) => path.includes('{'))
    .flatMap(([, methods]) => Object.entries(methods))
    .filter(([, { requestBody }]) => !requestBody);
  expect(operations.length).toBeGreaterThan(8);
  for (const [method, { responses }] of operations) {
    const described = errorsOf(responses['400']?.content['application/json']);
    expect(described).toHaveLength(1);
    for (const { request_id: _id, ...error } of described) {
      const answer = await organization.call(method.toUpperCase(), String(error['instance']));
      expect(answer.body.error).toMatchObject(error);
    }
  }
});

function errorsOf(content: Example = {}): Record<string, unknown>[] {
  const values = Object.values(content.examples ?? {}).map(({ value }) => value.error as Record<string, unknown>);
  return content.example ? [...values, content.example.error] : values;
}
