import { buildDocument, type DescriptionOptions } from './document.js';
import type { RenderedDescription } from './handler.js';

/**
 * Builds the description; a mistake in a procedure's annotations throws here (see `buildDocument`). The YAML takes a tenth of a
 * second to render, and its library as long to load, which a start need not wait for.
 */
export function createDescription(options: DescriptionOptions): RenderedDescription {
  const json = JSON.stringify(buildDocument(options));
  // Parsed from the JSON, so that both forms have the same values and the YAML has no aliases for shared parts.
  const renderYaml = async () => {
    const { stringify } = await import('yaml');
    return stringify(JSON.parse(json), { lineWidth: 0, compat: 'yaml-1.1' });
  };
  return { json, renderYaml };
}
