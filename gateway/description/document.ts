import type { AppRouter } from '../../server/index.js';
import type { Operation } from '../rest/operations.js';
import { createRoutes } from '../routes.js';
import { type Described, namedSchemas } from './components.js';
import { errorSchemas } from './errors.js';
import { headerComponents } from './headers.js';
import { aboutService } from './info.js';
import { descriptionError, type Document, type OperationObject, schemaRef } from './openapi.js';
import { parametersOf } from './parameters.js';
import { responsesOf } from './responses.js';
import { generateSource, type SourceDocument } from './source.js';
import { tagWords } from './words.js';

export type DescriptionOptions = { router: AppRouter; operations: readonly Operation[]; baseUrl: string };

/**
 * Builds the OpenAPI 3.0.3 document of the public operations: the generated one with the contract's envelopes,
 * statuses, errors and headers. Throws, naming the procedure, if annotations are missing or a schema cannot be
 * described.
 */
export function buildDocument({ router, operations, baseUrl }: DescriptionOptions): Document {
  const source = generateSource(router, operations);
  const described = operations.map((operation) => ({ operation, source: sourceOf(source, operation) }));
  const match = createRoutes(operations);
  const paths: Document['paths'] = {};
  for (const one of described) {
    const { path, method } = one.operation;
    const allow = match(path)?.allow ?? '';
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationObject(one, allow) };
  }
  return {
    openapi: '3.0.3',
    ...aboutService(baseUrl),
    tags: usedTags(operations),
    paths,
    components: {
      schemas: { ...namedSchemas(source, described), ...errorSchemas(operations) },
      headers: headerComponents(usedHeaders(paths)),
      securitySchemes: {
        BearerAuth: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'An API key, made in the web app and shown there once.',
        },
      },
    },
  };
}

function sourceOf({ paths }: SourceDocument, operation: Operation) {
  const found = paths[operation.path]?.[operation.method.toLowerCase()];
  if (!found) throw descriptionError(operation, 'the generator leaves it out');
  return found;
}

function operationObject({ source, operation }: Described, allow: string): OperationObject {
  const { id, meta, contentType } = operation;
  const { summary, description, tags } = meta.openapi ?? {};
  if (!summary || !description)
    throw descriptionError(operation, 'a public procedure needs a summary and a description');
  if (!tags || tags.length === 0) throw descriptionError(operation, 'a public procedure needs a tag');
  const request = meta.schemas?.request;
  return {
    operationId: id,
    summary,
    description,
    tags: [...tags],
    ...(meta.deprecation ? { deprecated: true } : {}),
    security: [{ BearerAuth: [] }],
    'x-required-scopes': [...(meta.scopes ?? [])],
    parameters: parametersOf(source, operation),
    ...(contentType && request
      ? { requestBody: { required: true, content: { [contentType]: { schema: schemaRef(request) } } } }
      : {}),
    responses: responsesOf(operation, allow),
  };
}

function usedTags(operations: readonly Operation[]): Document['tags'] {
  const found = new Map<string, string>();
  for (const operation of operations) {
    for (const name of operation.meta.openapi?.tags ?? []) {
      const description = tagWords[name];
      if (description === undefined) throw descriptionError(operation, `tag ${name} has no words in the description`);
      found.set(name, description);
    }
  }
  return [...found].map(([name, description]) => ({ name, description }));
}

function usedHeaders(paths: Document['paths']): Set<string> {
  const responses = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => Object.values(operation.responses)),
  );
  return new Set(responses.flatMap(({ headers }) => Object.keys(headers)));
}
