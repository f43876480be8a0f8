import { oneOfPart, type Search, searchOf, textUpTo } from '../../ui/address-search.js';
import { tagTypes } from './tag-types.js';

const textMax = 512;

const parts = {
  name: textUpTo(textMax),
  tag: textUpTo(textMax),
  tag_type: oneOfPart(tagTypes.map(({ value }) => value)),
};

/** The values that a link to the form may contain: a name, and an unknown tag. */
export type NewAssetSearch = Search<typeof parts>;

export function parseNewAssetSearch(given: Record<string, unknown>): NewAssetSearch {
  return searchOf(parts, given);
}
