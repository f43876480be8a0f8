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

/** Links from lists have `assets` or `locations` with the chosen ids. */
export function parseLabelsSearch(search: Record<string, unknown>): LabelsSearch {
  const { q, is_active, location_id, locations, assets, all } = search;
  const kind = locations === undefined ? search['kind'] : 'locations';
  const ids = idsOf(search['ids'] ?? locations ?? assets);
  return {
    ...(kind === 'assets' || kind === 'locations' ? { kind } : {}),
    ...(ids === undefined ? {} : { ids }),
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' ? { q: String(q).slice(0, 255) } : {}),
    ...(typeof is_active === 'boolean' ? { is_active } : {}),
    ...(typeof location_id === 'number' && Number.isInteger(location_id) && location_id > 0 ? { location_id } : {}),
    ...(all === true || all === 'true' ? { all: true } : {}),
  };
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
