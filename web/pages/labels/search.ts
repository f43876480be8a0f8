import { flagPart, idPart, oneOfPart, searchOf, textPart, truePart } from '../../ui/address-search.js';

/** The page's address: assets or locations (assets by default), and which of them. */
export type LabelsSearch = {
  kind?: 'assets' | 'locations' | undefined;
  /** Separated by commas. */
  ids?: string | undefined;
  q?: string | undefined;
  is_active?: boolean | undefined;
  location_id?: number | undefined;
  /** Whether to show labels for all rows. Otherwise nothing is shown until something is chosen. */
  all?: true | undefined;
};

const parts = {
  kind: oneOfPart(['assets', 'locations']),
  ids: idsOf,
  q: textPart,
  is_active: flagPart,
  location_id: idPart,
  all: truePart,
};

/** Links from lists have `assets` or `locations` with the chosen ids. */
export function parseLabelsSearch(given: Record<string, unknown>): LabelsSearch {
  const { locations, assets } = given;
  const chosen = { ...given, ids: given['ids'] ?? locations ?? assets };
  return searchOf(parts, locations === undefined ? chosen : { ...chosen, kind: 'locations' });
}

/** Returns whether an address has a selection. */
export function isChosen({ kind: _, ...which }: LabelsSearch): boolean {
  return Object.values(which).some((part) => part !== undefined);
}

function idsOf(given: unknown): string | undefined {
  const text = Array.isArray(given) ? given.join(',') : given;
  if (typeof text !== 'string' && typeof text !== 'number') return undefined;
  return /^\d+(?:,\d+)*$/.test(String(text)) ? String(text) : undefined;
}
