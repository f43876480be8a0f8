import { instantIn } from '../../time/instant.js';

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

/** Returns the search of the tree's address: the search text, and the location to show. */
export function parseLocationsSearch(search: Record<string, unknown>): LocationsSearch {
  const q = textIn(search['q']);
  const show = idIn(search['show']);
  return { ...(q === undefined ? {} : { q }), ...(show === undefined ? {} : { show }) };
}

/**
 * `at` is the instant that is shown; the present if undefined. Sublocations are included unless the address excludes
 * them.
 */
export type LocationSearch = {
  q?: string;
  sublocations?: boolean;
  offset?: number;
  at?: string;
  /** The asset that the floor plan highlights. */
  asset?: number;
};

/** Returns the search of the address of one location, for its table. */
export function parseLocationSearch(search: Record<string, unknown>): LocationSearch {
  const q = textIn(search['q']);
  const offset = search['offset'] === 0 ? 0 : idIn(search['offset']);
  const at = instantIn(search['at']);
  const asset = idIn(search['asset']);
  return {
    ...(q === undefined ? {} : { q }),
    ...(typeof search['sublocations'] === 'boolean' ? { sublocations: search['sublocations'] } : {}),
    ...(offset === undefined ? {} : { offset }),
    ...(at === undefined ? {} : { at }),
    ...(asset === undefined ? {} : { asset }),
  };
}
