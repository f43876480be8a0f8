import { buildDocument, type DescriptionOptions } from './document.js';
import { buildEventsDocument } from './events.js';
import type { RenderedDescription, RenderedDescriptions } from './handler.js';

/**
 * Builds the description of the API; a mistake in a procedure's annotations throws here (see `buildDocument`). The description of the
 * webhooks is built of it when somebody first asks for it.
 */
export function createDescriptions(options: DescriptionOptions): RenderedDescriptions {
  const api = buildDocument(options);
  return { openapi: rendered(() => api), webhooks: rendered(() => buildEventsDocument(api, options.baseUrl)) };
}

/** The YAML takes a tenth of a second to render, and its library as long to load, which a start need not wait for. */
function rendered(build: () => object): RenderedDescription {
  const renderJson = () => JSON.stringify(build());
  return {
    renderJson,
    // Parsed from the JSON, so that both forms have the same values and the YAML has no aliases for shared parts.
    async renderYaml() {
      const { stringify } = await import('yaml');
      return stringify(JSON.parse(renderJson()), { lineWidth: 0, compat: 'yaml-1.1' });
    },
  };
}
