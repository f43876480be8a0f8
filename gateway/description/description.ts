import { buildDocument, type DescriptionOptions } from './document.js';
import { buildEventsDocument } from './events.js';

/** Return the descriptions of the API and of the webhooks. */
export type Descriptions = Record<'openapi' | 'webhooks', () => object>;

/**
 * Builds the description of the API; a mistake in a procedure's annotations throws here (see `buildDocument`). The description of the
 * webhooks is built of it when somebody first asks for it.
 */
export function createDescriptions(options: DescriptionOptions): Descriptions {
  const api = buildDocument(options);
  return { openapi: () => api, webhooks: () => buildEventsDocument(api, options.baseUrl) };
}
