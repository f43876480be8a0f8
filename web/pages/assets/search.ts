import type { Inputs } from '../../api/trpc.js';
import type { Sort } from '../../ui/data-table.js';
import {
  flagPart,
  idPart,
  offsetPart,
  oneOfPart,
  type Search,
  searchOf,
  textPart,
  truePart,
  wholePart,
} from '../../ui/address-search.js';
import { tagTypes } from './tag-types.js';

const sortFields = ['external_key', 'name', 'kind', 'location', 'updated_at', 'created_at', 'asset_last_seen'] as const;

/** The id of the column of a custom detail begins with this; then comes its key. */
export const detailPrefix = 'detail:';

export type SortField = (typeof sortFields)[number] | `${typeof detailPrefix}${string}`;

const detailKeyMax = 100;

/** A filter for assets that have a custom detail with exactly this value. */
export type DetailFilter = { key: string; value: string };

export const detailFiltersMax = 5;

export const pageSizes = [25, 50, 100, 200];

const defaultLimit = 50;

const unseenDaysMax = 3650;

const parts = {
  q: textPart,
  is_active: flagPart,
  in_effect: flagPart,
  location_id: idPart,
  kind_id: idPart,
  belongs_to_id: idPart,
  away: truePart,
  free: truePart,
  /** The location to which the nearest assets come first. */
  near: idPart,
  seen: flagPart,
  unseen_days: wholePart(1, unseenDaysMax),
  moved: oneOfPart(['today']),
  reader_id: idPart,
  tag_type: oneOfPart(tagTypes.map(({ value }) => value)),
  battery_low: truePart,
  has_problem: truePart,
  details: detailsIn,
  sort: (given: unknown) => (typeof given === 'string' && sortOf(given) ? given : undefined),
  limit: (given: unknown) => pageSizes.find((size) => size === wholePart(1)(given)),
  offset: offsetPart,
};

/** The search of the list's address. A copied address shows the same list. */
export type AssetSearch = Search<typeof parts>;

export function parseAssetSearch(given: Record<string, unknown>): AssetSearch {
  return searchOf(parts, given);
}

function detailsIn(given: unknown): readonly DetailFilter[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const known = (given as unknown[])
    .filter(isDetailFilter)
    .map(({ key, value }) => ({ key, value: String(value) }))
    .slice(0, detailFiltersMax);
  return known.length === 0 ? undefined : known;
}

function isDetailFilter(given: unknown): given is { key: string; value: string | number | boolean } {
  if (typeof given !== 'object' || given === null || !('key' in given) || !('value' in given)) return false;
  const { key, value } = given;
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return typeof key === 'string' && key !== '' && key.length <= 100 && isText && String(value).length <= 200;
}

/** Returns the order in an address; undefined if it is missing or unknown. */
export function sortOf(text: string): Sort<SortField> | undefined {
  const descending = text.startsWith('-');
  const asked = text.slice(descending ? 1 : 0);
  const field = isDetailField(asked) ? asked : sortFields.find((name) => name === asked);
  return field && { field, descending };
}

function isDetailField(field: string): field is `${typeof detailPrefix}${string}` {
  const length = field.length - detailPrefix.length;
  return field.startsWith(detailPrefix) && length > 0 && length <= detailKeyMax;
}

export function sortText({ field, descending }: Sort): string {
  return descending ? `-${field}` : field;
}

export const defaultSort: Sort<SortField> = { field: 'external_key', descending: false };

/** Returns only the filters, in the form that the service expects. */
export function filterInput(search: AssetSearch, midnightMs: number) {
  const { moved, details, sort: _, limit: __, offset: ___, near: ____, ...filters } = search;
  const q = filters.q?.trim();
  return {
    ...filters,
    ...(q === undefined ? {} : { q }),
    ...(details === undefined ? {} : { details: [...details] }),
    ...(moved === 'today' ? { moved_since: new Date(midnightMs).toISOString() } : {}),
  };
}

type Shown = { midnightMs: number; detailColumns: readonly string[]; withBattery: boolean };

/** Returns the input of the list's request. */
export function tableInput(
  search: AssetSearch,
  { midnightMs, detailColumns, withBattery }: Shown,
): Inputs['assets']['table'] {
  return {
    ...filterInput(search, midnightMs),
    detail_columns: [...detailColumns],
    with_battery: withBattery,
    ...orderInput(sortOf(search.sort ?? '') ?? defaultSort),
    ...(search.near === undefined || search.sort !== undefined ? {} : { near: search.near }),
    limit: search.limit ?? defaultLimit,
    offset: search.offset ?? 0,
  };
}

function orderInput(sort: Sort<SortField>): Pick<Inputs['assets']['table'], 'sort' | 'sort_detail'> {
  const { field, descending } = sort;
  if (!isDetailField(field)) return { sort: sortText(sort) };
  return { sort: undefined, sort_detail: { key: field.slice(detailPrefix.length), descending } };
}

/** A change that removes every part of an address. */
export const nothingAsked = Object.fromEntries(Object.keys(parts).map((name) => [name, undefined])) as {
  [Key in keyof AssetSearch]-?: undefined;
};

/** Returns whether the list shows fewer than all assets. */
export function isFiltered({ sort: _, limit: __, offset: ___, near: ____, ...filters }: AssetSearch): boolean {
  return Object.keys(filters).length > 0;
}
