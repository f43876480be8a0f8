const idMax = 2_147_483_647;

function idIn(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 && id <= idMax ? id : undefined;
}

function textIn(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const text = String(value).slice(0, 255);
  return text === '' ? undefined : text;
}

export type LocationsSearch = { q?: string; show?: number };

/** What the address of the tree says: what is searched for, and the location to show. */
export function parseLocationsSearch(search: Record<string, unknown>): LocationsSearch {
  const q = textIn(search['q']);
  const show = idIn(search['show']);
  return { ...(q === undefined ? {} : { q }), ...(show === undefined ? {} : { show }) };
}

export type LocationSearch = {
  q?: string;
  below?: true;
  offset?: number;
  /** The asset that the floor plan points out. */
  asset?: number;
};

/** What the address of one location says of its table. */
export function parseLocationSearch(search: Record<string, unknown>): LocationSearch {
  const q = textIn(search['q']);
  const offset = idIn(search['offset']);
  const asset = idIn(search['asset']);
  return {
    ...(q === undefined ? {} : { q }),
    ...(search['below'] === true ? { below: true as const } : {}),
    ...(offset === undefined ? {} : { offset }),
    ...(asset === undefined ? {} : { asset }),
  };
}
