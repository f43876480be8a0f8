import { nameOfRef, type MediaType, type Schema } from './openapi.js';

type Schemas = Record<string, Schema>;

const instant = '2026-05-01T10:00:00.000Z';

/** Returns a value as the media type describes it, for people to look at. */
export function exampleOf({ example, examples, schema }: MediaType, schemas: Schemas): unknown {
  return example ?? Object.values(examples ?? {})[0]?.value ?? (schema && exampleOfSchema(schema, schemas));
}

function exampleOfSchema(schema: Schema, schemas: Schemas): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.$ref !== undefined) {
    const named = schemas[nameOfRef(schema.$ref)];
    return named && exampleOfSchema(named, schemas);
  }
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'array') return schema.items ? [exampleOfSchema(schema.items, schemas)] : [];
  if (schema.type === 'object') return exampleOfObject(schema.properties ?? {}, schemas);
  return exampleOfScalar(schema);
}

function exampleOfObject(properties: Record<string, Schema>, schemas: Schemas): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [name, exampleOfSchema(field, schemas)]);
  const value = Object.fromEntries(fields) as Record<string, unknown>;
  // The numbers of a list have to match a page with one row.
  return 'total_count' in value ? { ...value, limit: 50, total_count: 1 } : value;
}

function exampleOfScalar({ type, format, minimum = 0 }: Schema): unknown {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return minimum;
  return format === 'date-time' ? instant : 'text';
}

const exampleIds: Readonly<Record<string, string>> = { tag_id: '7' };

/** Returns a path with ids instead of its parameters. */
export function filledPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_braced, name: string) => exampleIds[name] ?? '42');
}
