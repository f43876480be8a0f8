import { buildDocument } from '../../gateway/description/document.js';
import { buildEventsDocument, type EventsDocument } from '../../gateway/description/events.js';
import type { Document } from '../../gateway/description/openapi.js';
import { readOperations } from '../../gateway/rest/operations.js';
import { appRouter } from '../../server/router.js';

const baseUrl = 'http://localhost:3000';

/** Returns the description of the API, without starting a service. */
export function describedApi(): Document {
  const operations = readOperations(appRouter);
  return buildDocument({ router: appRouter, operations, baseUrl });
}

/** Returns the description of the webhooks, without starting a service. */
export function describedEvents(): EventsDocument {
  return buildEventsDocument(describedApi(), baseUrl);
}
