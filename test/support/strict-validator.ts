import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Schema } from '../../gateway/description/openapi.js';

/** What is wrong with a value, one line each; none if it is as the schema says. */
export type StrictValidator = (schema: Schema, value: unknown) => string[];

/** Formats as the service writes them, not as it reads them: every instant has three decimals and is in UTC (contract 1.5). */
const formats = {
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
  uuid: /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  'uri-reference': /^\/[!-~]*$/,
};

/**
 * Validates answers against schemas of the description by name. Properties that are not declared are rejected, though
 * the description leaves its answers open for later releases. Each schema is compiled once, when it is first needed.
 */
export function createStrictValidator(schemas: Record<string, Schema>): StrictValidator {
  const ajv = new Ajv({ allErrors: true, strict: true, strictTypes: false });
  for (const [name, pattern] of Object.entries(formats)) ajv.addFormat(name, pattern);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  const definitions = Object.entries(schemas).map(([name, schema]) => [name, closed(schema)]);
  ajv.addSchema({ $id: 'description', definitions: Object.fromEntries(definitions) as object });
  const compiled = new Map<string, ValidateFunction>();

  return (schema, value) => {
    const key = schema.$ref ?? JSON.stringify(schema);
    const validate = compiled.get(key) ?? ajv.compile(closed(schema, 'description'));
    compiled.set(key, validate);
    return validate(value) ? [] : (validate.errors ?? []).map(wordsOf);
  };
}

/** An OpenAPI schema as a JSON schema that lets nothing undeclared through. */
function closed(schema: Schema, base = ''): Record<string, unknown> {
  if (schema.$ref) return { $ref: schema.$ref.replace('#/components/schemas/', `${base}#/definitions/`) };
  const { example: _example, nullable, properties, items, type, ...rest } = schema;
  const open = schema.additionalProperties !== undefined;
  return {
    ...rest,
    ...(type ? { type: nullable ? [type, 'null'] : type } : {}),
    ...(items ? { items: closed(items, base) } : {}),
    ...(properties ? { properties: mapValues(properties, (property) => closed(property, base)) } : {}),
    ...(properties && !open ? { additionalProperties: false } : {}),
  };
}

function mapValues<From, To>(record: Record<string, From>, map: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}

function wordsOf({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] };
  const detail = additionalProperty ?? allowedValues?.join(', ');
  return `${instancePath || 'the value'} ${message}${detail === undefined ? '' : `: ${detail}`}`;
}
