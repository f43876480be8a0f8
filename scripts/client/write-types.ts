import type { EventsDocument } from '../../gateway/description/events.js';
import type { Document, OperationObject, Parameter, Schema } from '../../gateway/description/openapi.js';

const head = '// Written by `npm run client` from the description of the API. Changes to this file are overwritten.\n';

/** Sets of values that later releases may extend: the type of such a value is any string. */
const openSets = new Set(['ErrorType', 'FieldErrorCode']);

type DescribedOperation = { path: string; method: string; operation: OperationObject };

/** Returns the text of the client's module of types and operations. Throws for a schema that it cannot express as a type. */
export function writeTypes({ components, paths }: Document): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return [
    head,
    ...Object.entries(components.schemas).map(([name, schema]) => schemaType(name, schema)),
    '/** Method and path of each operation, by its id in the description. */',
    `export const operations = {\n${operations.map(operationEntry).join('')}} as const;\n`,
    '/** Input and output of each operation, by its id in the description. */',
    `export type Operations = {\n${operations.map(operationType).join('')}};\n`,
  ].join('\n');
}

/** Returns the text of the client's module of events. Types that `api` has, too, are imported from its module. */
export function writeEventTypes({ components, webhooks }: EventsDocument, api: Document): string {
  const own = Object.entries(components.schemas).filter(([name]) => !(name in api.components.schemas));
  const shared = Object.keys(components.schemas).filter((name) => name in api.components.schemas);
  const bodies = Object.values(webhooks).map(({ post }) => Object.values(post.requestBody.content)[0]?.schema ?? {});
  return [
    head,
    `import type { ${shared.join(', ')} } from './api.js';\n`,
    ...own.map(([name, schema]) => schemaType(name, schema)),
    '/** The body of a request to a webhook. Later releases may add types: ignore those that you do not know. */',
    `export type WebhookEvent =\n${bodies.map((schema) => `  | ${typeOf(schema, '')}`).join('\n')};\n`,
  ].join('\n');
}

function schemaType(name: string, schema: Schema): string {
  const others = openSets.has(name) ? ' | (string & {})' : '';
  return `${comment(schema.description, '')}export type ${name} = ${typeOf(schema, '')}${others};\n`;
}

function operationEntry({ path, method, operation }: DescribedOperation): string {
  const [contentType] = Object.keys(operation.requestBody?.content ?? {});
  const content = contentType === undefined ? '' : `, contentType: '${contentType}'`;
  return `  ${operation.operationId}: { method: '${method}', path: '${path}'${content} },\n`;
}

function operationType({ operation }: DescribedOperation): string {
  const { operationId, summary, description, deprecated } = operation;
  const words = comment(`${summary}. ${description}${deprecated ? ' @deprecated' : ''}`, '  ');
  return `${words}  ${operationId}: {\n    input: ${inputOf(operation)};\n    output: ${outputOf(operation)};\n  };\n`;
}

function comment(text: string | undefined, indent: string): string {
  if (text === undefined || text === '') return '';
  return `${indent}/** ${text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/')} */\n`;
}

/** Returns the TypeScript type of a schema that begins on a line with this indentation. */
function typeOf(schema: Schema, indent: string): string {
  const type = typeWithoutNull(schema, indent);
  return schema.nullable ? `${type} | null` : type;
}

/** Returns the type of one of several alternatives of OpenAPI 3.1: a constant, null, or a type that may be null. */
function alternativesOf({ const: constant, anyOf, type, ...rest }: Schema): readonly (string | Schema)[] | undefined {
  if (constant !== undefined) return [literal(constant)];
  if (Array.isArray(anyOf)) return anyOf as Schema[];
  if (Array.isArray(type)) return (type as string[]).map((one) => ({ ...rest, type: one }));
  return type === 'null' ? ['null'] : undefined;
}

function typeWithoutNull(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  const alternatives = alternativesOf(schema);
  if (alternatives) return alternatives.map((one) => (typeof one === 'string' ? one : typeOf(one, indent))).join(' | ');
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayType(schema.items, indent);
    case 'object':
      return objectType(schema, indent);
    default:
      throw new Error(`the client has no type for the schema ${JSON.stringify(schema)}`);
  }
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, String.raw`\$&`)}'` : JSON.stringify(value);
}

function arrayType(items: Schema | undefined, indent: string): string {
  const type = typeOf(items ?? {}, indent);
  return `readonly ${type.includes(' | ') ? `(${type})` : type}[]`;
}

function objectType({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? '' : '?';
    return `${comment(field.description, inner)}${inner}${name}${optional}: ${typeOf(field, inner)};\n`;
  });
  return fields.length === 0 ? 'Readonly<Record<string, unknown>>' : `{\n${fields.join('')}${indent}}`;
}

/** Returns the type of an operation's input. A part in which no field is required is optional. */
function inputOf(operation: OperationObject): string {
  const indent = '      ';
  const parts = [partOf(operation, 'path', indent), partOf(operation, 'query', indent)];
  const [media] = Object.values(operation.requestBody?.content ?? {});
  if (media) parts.push(`${indent}body: ${typeOf(media.schema, indent)};\n`);
  const text = parts.join('');
  return text === '' ? '{}' : `{\n${text}    }`;
}

function partOf({ parameters }: OperationObject, part: 'path' | 'query', indent: string): string {
  const own = parameters.filter((parameter) => parameter.in === part);
  if (own.length === 0) return '';
  const properties = Object.fromEntries(own.map((parameter) => [parameter.name, fieldOf(parameter)]));
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  return `${indent}${part}${required.length > 0 ? '' : '?'}: ${objectType({ properties, required }, indent)};\n`;
}

function fieldOf({ description, schema }: Parameter): Schema {
  return description === undefined ? schema : { ...schema, description };
}

function outputOf({ responses }: OperationObject): string {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const [media] = Object.values(response?.content ?? {});
  return media ? typeOf(media.schema, '    ') : 'undefined';
}
