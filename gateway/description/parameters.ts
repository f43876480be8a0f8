import type { Operation } from '../rest/operations.js';
import { descriptionError, type Parameter, type Schema } from './openapi.js';
import { isDeclared } from './schemas.js';
import type { SourceOperation } from './source.js';
import { parameterWords, sentences } from './words.js';

type Defaulting = { _zod?: { def: { type: string; defaultValue?: unknown } } };

/** Returns the parameters of an operation, path parameters first. */
export function parametersOf(source: SourceOperation, operation: Operation): Parameter[] {
  const required = requiredKeys(operation);
  return (source.parameters ?? [])
    .filter(({ schema }) => isDeclared(schema))
    .map((parameter) => ({ ...parameterOf(parameter, operation), required: required.has(parameter.name) }));
}

/** Returns the required keys. The generator parses undefined instead, which differs from a missing key. */
function requiredKeys({ input }: Operation): Set<string> {
  const result = input.safeParse({});
  const issues: { path: PropertyKey[] }[] = result.success ? [] : result.error.issues;
  return new Set(issues.map(({ path }) => String(path[0])));
}

function parameterOf({ name, in: parameterIn, schema }: Parameter, operation: Operation): Parameter {
  const words = parameterWords[`${operation.id}.${name}`] ?? parameterWords[name];
  if (words === undefined) throw descriptionError(operation, `parameter ${name} has no words in the description`);
  if (!schema.type) throw descriptionError(operation, `parameter ${name} has no type that can be described`);
  const { description, ...rest } = withDefault(schema, operation.input.shape[name]);
  const repeats = schema.type === 'array';
  const ofItems = repeats && schema.items ? takeDescription(schema.items) : undefined;
  return {
    name,
    in: parameterIn,
    description: sentences(
      words,
      ofItems?.description ?? description,
      repeats ? 'Repeat it to match any of several values' : '',
    ),
    ...(repeats ? { style: 'form', explode: true } : {}),
    schema: ofItems ? { ...rest, items: ofItems.schema } : rest,
  };
}

/** Adds a plain default value to a schema. The schema's own text already describes other defaults. */
function withDefault(schema: Schema, field: unknown): Schema {
  const def = (field as Defaulting | undefined)?._zod?.def;
  const value = def?.type === 'default' ? def.defaultValue : undefined;
  const plain = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string';
  return plain && schema['default'] === undefined ? { ...schema, default: value } : schema;
}

function takeDescription({ description, ...schema }: Schema): { description: string | undefined; schema: Schema } {
  return { description, schema };
}
