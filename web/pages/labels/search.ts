/** What the page's address says: which kind of thing, and which ones. Assets, and all of them, unless told. */
export type LabelsSearch = {
  kind?: 'assets' | 'locations' | undefined;
  /** Separated by commas. */
  ids?: string | undefined;
  q?: string | undefined;
  is_active?: boolean | undefined;
  location_id?: number | undefined;
};

export function parseLabelsSearch(search: Record<string, unknown>): LabelsSearch {
  const { kind, ids, q, is_active, location_id } = search;
  const idText = typeof ids === 'number' ? String(ids) : Array.isArray(ids) ? ids.join(',') : ids;
  return {
    ...(kind === 'locations' ? { kind } : {}),
    ...(typeof idText === 'string' && /^\d+(?:,\d+)*$/.test(idText) ? { ids: idText } : {}),
    ...((typeof q === 'string' || typeof q === 'number') && q !== '' ? { q: String(q).slice(0, 255) } : {}),
    ...(typeof is_active === 'boolean' ? { is_active } : {}),
    ...(typeof location_id === 'number' && Number.isInteger(location_id) && location_id > 0 ? { location_id } : {}),
  };
}
