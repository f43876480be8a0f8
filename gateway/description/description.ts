import type { AppRouter } from '../../server/index.js';
import type { Operation } from '../rest/operations.js';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { stringify } from 'yaml';
import type { RenderedDescription } from './handler.js';

export function createDescription({
  router,
  baseUrl,
}: {
  router: AppRouter;
  operations: readonly Operation[];
  baseUrl: string;
}): RenderedDescription {
  const document = generateOpenApiDocument(router, {
    title: 'Whereabouts',
    version: '1.0.0',
    baseUrl,
    openApiVersion: '3.0.3',
    securitySchemes: { BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
  });
  return { json: JSON.stringify(document), yaml: stringify(document) };
}
