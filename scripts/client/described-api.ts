import { buildDocument } from '../../gateway/description/document.js';
import type { Document } from '../../gateway/description/openapi.js';
import { readOperations } from '../../gateway/rest/operations.js';
import { appRouter } from '../../server/router.js';

/** Returns the description of the API, without starting a service. */
export function describedApi(): Document {
  const operations = readOperations(appRouter);
  return buildDocument({ router: appRouter, operations, baseUrl: 'http://localhost:3000' });
}
