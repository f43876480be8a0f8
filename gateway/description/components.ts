import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../rest/operations.js';
import { examples } from './examples.js';
import { descriptionError, type MediaType, type Schema } from './openapi.js';
import { type Naming, readSchema, requestSchema } from './schemas.js';
import type { SourceDocument, SourceOperation } from './source.js';
import { createWords, patchWords, readWords } from './words.js';

/** Schemas that no request can write: the server sets every field. */
const serverManaged = new Set(['AssetLocationItem', 'AssetHistoryItem', 'OrgView']);

/** One operation with its generated document and its route. */
export type Described = { source: SourceOperation; operation: Operation };

/**
 * Returns the schemas of the operations by name: each request and response body under the name from its procedure, and
 * the schemas they refer to. Throws, naming the procedure, if a name is missing, ambiguous or unknown.
 */
export function namedSchemas({ components }: SourceDocument, described: readonly Described[]): Record<string, Schema> {
  const schemas: Record<string, Schema> = {};
  const roots = described.map((one) => ({ operation: one.operation, named: [...requestOf(one), ...responseOf(one)] }));
  for (const { operation, named } of roots) {
    for (const [name, schema] of named) {
      if (schemas[name] && !isDeepStrictEqual(schemas[name], schema)) {
        throw descriptionError(operation, `the schema ${name} is described in another way elsewhere`);
      }
      schemas[name] = schema;
    }
  }
  for (const { operation, named } of roots) for (const [, schema] of named) addViews(schema, operation);
  return schemas;

  function addViews(schema: Schema, operation: Operation): void {
    for (const name of referencesIn(schema)) {
      if (schemas[name]) continue;
      const view = components.schemas[name];
      if (!view) throw descriptionError(operation, `there is no schema ${name}`);
      schemas[name] = viewOf(view, namingOf(name, readWords, operation));
      addViews(schemas[name], operation);
    }
  }
}

/** Returns the names of the schemas that a schema refers to. */
function referencesIn({ $ref, properties = {}, items }: Schema): string[] {
  const own = $ref === undefined ? [] : [$ref.slice($ref.lastIndexOf('/') + 1)];
  const parts = items ? [...Object.values(properties), items] : Object.values(properties);
  return [...own, ...parts.flatMap(referencesIn)];
}

function viewOf(source: Schema, naming: Naming): Schema {
  const view = withExample(naming.schema, readSchema(source, naming));
  if (!serverManaged.has(naming.schema)) return view;
  const fields = Object.entries(view.properties ?? {}).map(([key, field]) => [key, { ...field, readOnly: true }]);
  return { ...view, properties: Object.fromEntries(fields) as Record<string, Schema> };
}

function requestOf({ source, operation }: Described): [string, Schema][] {
  if (!operation.contentType) return [];
  const name = operation.meta.schemas?.request;
  if (name === undefined) throw descriptionError(operation, 'its body needs the name of a schema');
  const schema = onlySchema(source.requestBody?.content, operation);
  const words = operation.method === 'PATCH' ? patchWords : createWords;
  return [[name, withExample(name, requestSchema(schema, namingOf(name, words, operation)))]];
}

function responseOf({ source, operation }: Described): [string, Schema][] {
  const name = operation.meta.schemas?.response;
  if (operation.successStatus === 204 || name === undefined) return [];
  const schema = onlySchema(source.responses['200']?.content, operation);
  return [[name, readSchema(schema, namingOf(name, readWords, operation))]];
}

function namingOf(schema: string, words: Record<string, string>, operation: Operation): Naming {
  return { schema, words, errorOf: (why) => descriptionError(operation, why) };
}

function onlySchema(content: Record<string, MediaType> | undefined, operation: Operation): Schema {
  const [media] = Object.values(content ?? {});
  if (media?.schema.type !== 'object') throw descriptionError(operation, 'its body and its answer are objects');
  return media.schema;
}

function withExample(name: string, schema: Schema): Schema {
  return name in examples ? { ...schema, example: examples[name] } : schema;
}
