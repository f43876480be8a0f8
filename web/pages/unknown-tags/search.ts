import { idPart, offsetPart, type Search, searchOf, textPart } from '../../ui/address-search.js';

const parts = { q: textPart, reader: idPart, offset: offsetPart };

/** Which unknown tags are shown, as in the address. */
export type UnknownTagsSearch = Search<typeof parts>;

export function unknownTagsSearch(given: Record<string, unknown>): UnknownTagsSearch {
  return searchOf(parts, given);
}
