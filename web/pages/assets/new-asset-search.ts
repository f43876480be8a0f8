import { type TagType, tagTypes } from './tag-types.js';

/** The values that a link to the form may contain: a name, and an unknown tag. */
export type NewAssetSearch = { name?: string; tag?: string; tag_type?: TagType };

export function parseNewAssetSearch(given: Record<string, unknown>): NewAssetSearch {
  const { name, tag, tag_type: type } = given;
  const known = tagTypes.find(({ value }) => value === type)?.value;
  return {
    ...(isText(name) ? { name: String(name) } : {}),
    ...(isText(tag) ? { tag: String(tag) } : {}),
    ...(known === undefined ? {} : { tag_type: known }),
  };
}

// The router reads digits in an address as a number.
function isText(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number';
}
