import { stringify } from 'yaml';
import { buildDocument, type DescriptionOptions } from './document.js';
import type { RenderedDescription } from './handler.js';

/** Builds and renders the description once; a mistake in a procedure's annotations throws here (see `buildDocument`). */
export function createDescription(options: DescriptionOptions): RenderedDescription {
  const json = JSON.stringify(buildDocument(options));
  // Parsed from the JSON, so that both forms have the same values and the YAML has no aliases for shared parts.
  return { json, yaml: stringify(JSON.parse(json), { lineWidth: 0 }) };
}
