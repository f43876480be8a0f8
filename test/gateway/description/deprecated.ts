import { buildDocument } from '../../../gateway/description/document.js';
import type { Document } from '../../../gateway/description/openapi.js';
import { readOperations } from '../../../gateway/rest/operations.js';
import { appRouter } from '../../../server/router.js';

/** The document as it were with `listAssets` on its way out; no operation is at present. */
export function documentWithDeprecation(): Document {
  const deprecation = { sunset: new Date('2030-06-01T00:00:00Z') };
  const operations = readOperations(appRouter).map((operation) =>
    operation.id === 'listAssets' ? { ...operation, meta: { ...operation.meta, deprecation } } : operation,
  );
  return buildDocument({ router: appRouter, operations, baseUrl: 'http://localhost:3000' });
}
