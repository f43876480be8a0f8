import type { Schema } from './openapi.js';
import { sentences } from './words.js';

/** The texts of fields, and the function that reports a field without one. */
export type Naming = { schema: string; words: Record<string, string>; errorOf: (why: string) => Error };

/** Bounds that Zod gives every integer, and that mean nothing here. */
const noBounds = new Set([Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]);

/**
 * Returns whether a key is declared to clients. Some keys are known only to be rejected with the contract's message.
 */
export function isDeclared(schema: Schema): boolean {
  return schema['x-not-a-parameter'] !== true && !isNever(schema);
}

function isNever({ not }: Schema): boolean {
  return typeof not === 'object' && not !== null && Object.keys(not).length === 0;
}

/**
 * Returns the schema of a response. It stays open: a later release may add fields (contract 11). OpenAPI implies that, and it is
 * stated for free-form objects alone, of which some generators of TypeScript clients would otherwise make empty objects.
 */
export function readSchema(source: Schema, naming: Naming): Schema {
  return withFields(source, naming, without);
}

/** Returns the schema of a request body. It is closed, as undeclared keys are rejected (contract 5.3). */
export function requestSchema(source: Schema, naming: Naming): Schema {
  return withFields(source, naming, (field) => (field.properties ? { ...field, additionalProperties: false } : field));
}

function without(schema: Schema): Schema {
  const { additionalProperties: _stated, ...unstated } = schema;
  return schema.properties ? unstated : schema;
}

function withFields(source: Schema, naming: Naming, adjust: (schema: Schema) => Schema): Schema {
  const { properties, items, ...rest } = source;
  const schema: Schema = withoutNoBounds(rest);
  if (items) schema.items = withFields(items, naming, adjust);
  if (properties) {
    const declared = Object.entries(properties).filter(([, field]) => isDeclared(field));
    schema.properties = Object.fromEntries(
      declared.map(([name, field]) => [name, described(name, withFields(field, naming, adjust), naming)]),
    );
  }
  return adjust(schema);
}

function withoutNoBounds(schema: Schema): Schema {
  const bounds = ['minimum', 'maximum'];
  return Object.fromEntries(
    Object.entries(schema).filter(([keyword, value]) => !(bounds.includes(keyword) && noBounds.has(value as number))),
  );
}

/** Returns a field with its sentence before the text of its rule. OpenAPI 3.0 allows nothing beside a reference. */
function described(name: string, field: Schema, { schema, words, errorOf }: Naming): Schema {
  const own = words[`${schema}.${name}`] ?? words[name];
  if (own === undefined) throw errorOf(`field ${name} of ${schema} has no words in the description`);
  if (!field.$ref && !field.type) throw errorOf(`field ${name} of ${schema} has no type that can be described`);
  if (field.$ref) return field;
  return { ...field, description: sentences(own, field.description) };
}
