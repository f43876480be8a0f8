import { generateOpenApiDocument } from 'trpc-to-openapi';
import type { AppRouter, Meta } from '../../server/index.js';
import type { Operation } from '../rest/operations.js';
import { descriptionError, type MediaType, type Parameter, type Schema } from './openapi.js';

/** The parts of the generator's output for one procedure that are used. */
export type SourceOperation = {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { content?: Record<string, MediaType> }>;
};

/** The generated document: its schemas are used; its own envelopes, statuses and errors are not. */
export type SourceDocument = {
  paths: Record<string, Record<string, SourceOperation>>;
  components: { schemas: Record<string, Schema> };
};

/** Generates a document from the routers. Throws, naming the procedure, if a schema cannot be converted. */
export function generateSource(router: AppRouter, operations: readonly Operation[]): SourceDocument {
  try {
    return generate(router, () => true);
  } catch (error) {
    // The generator does not report whose schema it was, so each procedure is tried alone.
    for (const operation of operations) tryAlone(router, operation);
    throw error;
  }
}

function tryAlone(router: AppRouter, operation: Operation): void {
  try {
    generate(router, ({ openapi }) => openapi === operation.meta.openapi);
  } catch (error) {
    throw descriptionError(
      operation,
      `a schema cannot be described: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function generate(router: AppRouter, includes: (meta: Pick<Meta, 'openapi'>) => boolean): SourceDocument {
  const document = generateOpenApiDocument(router, {
    title: '',
    version: '',
    baseUrl: '',
    openApiVersion: '3.0.3',
    filter: ({ metadata }) => includes(metadata as Pick<Meta, 'openapi'>),
  });
  return structuredClone(document) as unknown as SourceDocument;
}
