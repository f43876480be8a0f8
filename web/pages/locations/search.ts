import { flagPart, idPart, instantPart, offsetPart, type Search, searchOf, textPart } from '../../ui/address-search.js';

const locationsParts = { q: textPart, show: idPart };

/** The search of the tree's address: the search text, and the location to show. */
export type LocationsSearch = Search<typeof locationsParts>;

export function parseLocationsSearch(given: Record<string, unknown>): LocationsSearch {
  return searchOf(locationsParts, given);
}

const locationParts = {
  q: textPart,
  /** They are included unless the address excludes them. */
  sublocations: flagPart,
  offset: offsetPart,
  /** The instant that is shown; the present if undefined. */
  at: instantPart,
  /** The asset that the floor plan highlights. */
  asset: idPart,
};

/** The search of the address of one location. */
export type LocationSearch = Search<typeof locationParts>;

export function parseLocationSearch(given: Record<string, unknown>): LocationSearch {
  return searchOf(locationParts, given);
}
