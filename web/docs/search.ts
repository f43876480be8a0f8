import type { Description, Group, Operation } from './description.js';
import { onlyContent } from './description.js';
import { nameOfRef, type Schema } from './openapi.js';

export type Found = { groups: Group[]; schemas: string[] };

/**
 * Returns the operations and schemas that have every word of the query in their name, path, texts or fields; everything
 * for an empty query.
 */
export function searchDescription({ groups, schemas }: Description, query: string): Found {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const holdsAll = (text: string) => words.every((word) => text.includes(word));
  return {
    groups: groups.flatMap((group) => {
      const operations = group.operations.filter((operation) => holdsAll(textOfOperation(operation, schemas)));
      return operations.length > 0 ? [{ ...group, operations }] : [];
    }),
    schemas: Object.keys(schemas).filter((name) =>
      holdsAll(`${name} ${Object.keys(schemas[name]?.properties ?? {}).join(' ')}`.toLowerCase()),
    ),
  };
}

function textOfOperation(operation: Operation, schemas: Record<string, Schema>): string {
  const { method, path, operationId, summary, description = '', tag, parameters = [], requestBody } = operation;
  return [
    method,
    path,
    operationId,
    summary,
    description,
    tag,
    ...(operation['x-required-scopes'] ?? []),
    ...parameters.map(({ name }) => name),
    ...fieldsOf(onlyContent(requestBody?.content)?.media.schema, schemas),
  ]
    .join(' ')
    .toLowerCase();
}

function fieldsOf(schema: Schema | undefined, schemas: Record<string, Schema>): string[] {
  const resolved = schema?.$ref === undefined ? schema : schemas[nameOfRef(schema.$ref)];
  return Object.keys(resolved?.properties ?? {});
}
