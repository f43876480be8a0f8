import { expect, test } from 'vitest';
import { buildDocument } from '../../../gateway/description/document.js';
import { examples } from '../../../gateway/description/examples.js';
import { createWords, parameterWords, patchWords, readWords, tagWords } from '../../../gateway/description/words.js';
import { readOperations } from '../../../gateway/rest/operations.js';
import { appRouter } from '../../../server/router.js';
import { createStrictValidator } from '../../support/strict-validator.js';

const operations = readOperations(appRouter);
const document = buildDocument({ router: appRouter, operations, baseUrl: 'http://localhost:3000' });
const { schemas, headers } = document.components;
const described = Object.values(document.paths).flatMap((path) => Object.values(path));
const validate = createStrictValidator(schemas);

/** Every name that a table may have for a field: the name itself, and the name with its schema before it. */
function namesIn(belongs: (schema: string) => boolean): Set<string> {
  const found = Object.entries(schemas).filter(([name]) => belongs(name));
  return new Set(
    found.flatMap(([name, { properties = {} }]) => Object.keys(properties).flatMap((key) => [key, `${name}.${key}`])),
  );
}

test.each([
  ['readWords', readWords, namesIn((name) => !name.endsWith('Request'))],
  ['createWords', createWords, namesIn((name) => name.endsWith('Request') && !name.startsWith('Update'))],
  ['patchWords', patchWords, namesIn((name) => name.startsWith('Update'))],
  [
    'parameterWords',
    parameterWords,
    new Set(
      described.flatMap(({ operationId: id, parameters }) => parameters.flatMap(({ name }) => [name, `${id}.${name}`])),
    ),
  ],
  ['tagWords', tagWords, new Set(document.tags.map(({ name }) => name))],
] as const)('%s speaks of nothing that is not there', (_name, table, names) => {
  const leftOver = Object.keys(table).filter((key) => !names.has(key));
  expect(leftOver).toEqual([]);
});

test('every view and every body has an example, and it is right', () => {
  const named = Object.keys(schemas).filter((name) => !/Response$|^Error|^FieldError/.test(name));
  expect(Object.keys(examples).sort()).toEqual(named.sort());
  for (const [name, { example }] of Object.entries(schemas)) {
    expect(example).toEqual(examples[name]);
    if (example !== undefined) expect(validate({ $ref: `#/components/schemas/${name}` }, example), name).toEqual([]);
  }
});

test('every rejection has an example of each type, and it is right', () => {
  for (const { operationId, responses } of described) {
    for (const [status, { content }] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
      const given = Object.entries(content?.['application/json']?.examples ?? {});
      expect(given.length, `${operationId} ${status}`).toBeGreaterThan(0);
      for (const [type, { value }] of given) {
        expect(validate({ $ref: '#/components/schemas/ErrorResponse' }, value), `${operationId} ${type}`).toEqual([]);
        expect(value).toMatchObject({ error: { type, status: Number(status) } });
      }
    }
  }
});

test('the examples of headers are right', () => {
  const wrong = Object.values(headers).flatMap(({ schema }) =>
    schema.example === undefined ? [] : validate(schema, schema.example),
  );
  expect(wrong).toEqual([]);
});
