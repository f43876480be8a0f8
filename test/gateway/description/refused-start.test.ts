import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDescriptions } from '../../../gateway/description/description.js';
import { readOperations } from '../../../gateway/rest/operations.js';
import { createRoutes } from '../../../gateway/routes.js';
import type { AppRouter } from '../../../server/index.js';
import { described, type Meta, router, scopedProcedure } from '../../../server/trpc.js';
import { integerParameter } from '../../../server/kernel/validation/parameters.js';

// A public procedure that says too little of itself, or something wrong, stops the start and is named.

type Parts = {
  input?: z.ZodObject;
  output?: z.ZodType;
  meta?: Partial<Meta>;
  openapi?: Partial<Meta['openapi'] & object>;
  reads?: boolean;
};

const answer = z.object({ data: z.object({ name: z.string() }) });

function procedure({ input = z.strictObject({}), output = answer, meta = {}, openapi = {}, reads }: Parts = {}) {
  const complete: Meta = {
    openapi: {
      method: 'GET',
      path: '/api/v1/things',
      operationId: 'readThings',
      summary: 'Read the things',
      description: 'Returns all of them.',
      tags: ['assets'],
      ...openapi,
    },
    scopes: ['assets:read'],
    schemas: { response: 'ThingsResponse' },
    ...meta,
  };
  const built = scopedProcedure.meta(complete).input(input).output(described(output));
  return (reads ?? complete.openapi?.method === 'GET') ? built.query(() => ({})) : built.mutation(() => ({}));
}

function start(...procedures: ReturnType<typeof procedure>[]): void {
  const things = Object.fromEntries(procedures.map((one, index) => [`p${index}`, one]));
  const appRouter = router({ things: router(things) }) as unknown as AppRouter;
  const operations = readOperations(appRouter);
  createRoutes(operations);
  createDescriptions({ router: appRouter, operations, baseUrl: 'http://localhost:3000' });
}

const body = { method: 'POST' } as const;
const named = { schemas: { request: 'ThingRequest', response: 'ThingsResponse' } };
const thingId = { thing_id: integerParameter({ min: 1, max: 9 }) };

test('starts where nothing is wrong', () => {
  expect(() => start(procedure())).not.toThrow();
  expect(() =>
    start(procedure({ openapi: body, meta: named, input: z.strictObject({ name: z.string() }) })),
  ).not.toThrow();
});

test.each<[why: string, parts: Parts, message: RegExp]>([
  ['no scopes', { meta: { scopes: undefined as never } }, /things\.p0: .*scopes/],
  ['a scope that is none', { meta: { scopes: ['things:read' as never] } }, /things\.p0: unknown scope things:read/],
  ['no operation id', { openapi: { operationId: undefined as never } }, /things\.p0: .*operation id/],
  ['no summary', { openapi: { summary: '' } }, /things\.p0: .*summary/],
  ['no description', { openapi: { description: '' } }, /things\.p0: .*description/],
  ['no tag', { openapi: { tags: [] } }, /things\.p0: .*tag/],
  ['a tag without words', { openapi: { tags: ['things'] } }, /things\.p0: tag things/],
  ['no name for its answer', { meta: { schemas: {} } }, /things\.p0: its answer needs the name/],
  ['no name for its body', { openapi: body }, /things\.p0: its body needs the name/],
  ['a path parameter its input lacks', { openapi: { path: '/api/v1/things/{thing_id}' } }, /things\.p0: .*thing_id/],
  ['a POST that only reads', { openapi: { method: 'POST' }, reads: true }, /things\.p0: a GET is a query/],
  ['a parameter without words', { input: z.strictObject({ color: z.string() }) }, /things\.p0: parameter color/],
  [
    'a field without words',
    { output: z.object({ data: z.string(), color: z.string() }) },
    /things\.p0: field color of ThingsResponse/,
  ],
  ['a field of any type', { output: z.object({ data: z.unknown() }) }, /things\.p0: field data .* no type/],
  ['an answer that is no object', { output: z.array(z.string()) }, /things\.p0: .*objects/],
  [
    'a schema that JSON cannot say',
    { output: z.object({ data: z.map(z.string(), z.string()) }) },
    /things\.p0: a schema cannot be described/,
  ],
  [
    'a reference that leads nowhere',
    { output: z.object({ data: z.string().meta({ override: { $ref: '#/components/schemas/Thing' } }) }) },
    /things\.p0: there is no schema Thing/,
  ],
])('%s is rejected', (_why, parts, message) => {
  expect(() => start(procedure(parts))).toThrow(message);
});

test.each<[why: string, other: Parts, message: RegExp]>([
  [
    'one address for two',
    { openapi: { operationId: 'readOthers' } },
    /things\.p0 and things\.p1 .*GET \/api\/v1\/things/,
  ],
  ['one operation id for two', { openapi: { path: '/api/v1/others' } }, /things\.p0 and things\.p1 .*readThings/],
  [
    'one schema name for two things',
    {
      openapi: { path: '/api/v1/others', operationId: 'readOthers' },
      output: z.object({ data: z.string() }),
    },
    /things\.p1: the schema ThingsResponse is described in another way/,
  ],
])('%s is rejected', (_why, other, message) => {
  expect(() => start(procedure(), procedure(other))).toThrow(message);
});

test('two names for the parameter in one segment are rejected', () => {
  const path = '/api/v1/things/{thing_id}';
  const one = procedure({ openapi: { path }, input: z.strictObject(thingId) });
  const same = procedure({
    openapi: { path: '/api/v1/things/{id}', operationId: 'readThing' },
    input: z.strictObject({ id: integerParameter({ min: 1, max: 9 }) }),
  });
  expect(() => start(one, same)).toThrow(/things\.p0 and things\.p1/);
  const below = procedure({
    openapi: { path: '/api/v1/things/{id}/parts', operationId: 'readParts' },
    input: z.strictObject({ id: integerParameter({ min: 1, max: 9 }) }),
  });
  expect(() => start(one, below)).toThrow(/thing_id and id share a segment/);
});
