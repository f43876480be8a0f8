import type { Inputs } from '../../api/trpc.js';
import type { Sort } from '../../ui/data-table.js';
import { type TagType, tagTypes } from './tag-types.js';

const sortFields = ['external_key', 'name', 'kind', 'location', 'updated_at', 'created_at', 'asset_last_seen'] as const;

/** The id of the column of a custom detail begins with this; then comes its key. */
export const detailPrefix = 'detail:';

export type SortField = (typeof sortFields)[number] | `${typeof detailPrefix}${string}`;

const detailKeyMax = 100;

/** A filter for assets that have a custom detail with exactly this value. */
export type DetailFilter = { key: string; value: string };

export const detailFiltersMax = 5;

/** The search of the list's address. A copied address shows the same list. */
export type AssetSearch = {
  q?: string;
  is_active?: boolean;
  in_effect?: boolean;
  location_id?: number;
  kind_id?: number;
  belongs_to_id?: number;
  away?: true;
  free?: true;
  /** The location to which the nearest assets come first. */
  near?: number;
  seen?: boolean;
  unseen_days?: number;
  moved?: 'today';
  reader_id?: number;
  tag_type?: TagType;
  battery_low?: true;
  has_problem?: true;
  details?: readonly DetailFilter[];
  sort?: string;
  limit?: number;
  offset?: number;
};

export const pageSizes = [25, 50, 100, 200];

const defaultLimit = 50;

/** Parses an address; invalid parts are ignored. */
export function parseAssetSearch(given: Record<string, unknown>): AssetSearch {
  const { q, sort, moved } = given;
  const limit = wholeNumber(given['limit'], 1, 200);
  const offset = wholeNumber(given['offset'], 0, 2_147_483_647);
  return {
    ...(typeof q === 'string' && q.trim() !== '' ? { q } : {}),
    ...(typeof q === 'number' || typeof q === 'boolean' ? { q: String(q) } : {}),
    ...flag('is_active', given),
    ...flag('in_effect', given),
    ...number('location_id', given, 2_147_483_647),
    ...number('kind_id', given, 2_147_483_647),
    ...number('belongs_to_id', given, 2_147_483_647),
    ...(flag('away', given).away === true ? { away: true } : {}),
    ...(flag('free', given).free === true ? { free: true } : {}),
    ...number('near', given, 2_147_483_647),
    ...flag('seen', given),
    ...number('unseen_days', given, 3650),
    ...(moved === 'today' ? { moved } : {}),
    ...number('reader_id', given, 2_147_483_647),
    ...tagTypeIn(given),
    ...(flag('battery_low', given).battery_low === true ? { battery_low: true } : {}),
    ...(flag('has_problem', given).has_problem === true ? { has_problem: true } : {}),
    ...detailsIn(given),
    ...(typeof sort === 'string' && sortOf(sort) ? { sort } : {}),
    ...(limit !== undefined && pageSizes.includes(limit) ? { limit } : {}),
    ...(offset === undefined ? {} : { offset }),
  };
}

function flag<Key extends string>(key: Key, given: Record<string, unknown>): { [K in Key]?: boolean } {
  const value = given[key];
  if (value === true || value === 'true') return { [key]: true } as { [K in Key]?: boolean };
  if (value === false || value === 'false') return { [key]: false } as { [K in Key]?: boolean };
  return {};
}

function number<Key extends string>(key: Key, given: Record<string, unknown>, max: number): { [K in Key]?: number } {
  const value = wholeNumber(given[key], 1, max);
  return value === undefined ? {} : ({ [key]: value } as { [K in Key]?: number });
}

function tagTypeIn({ tag_type: type }: Record<string, unknown>): { tag_type?: TagType } {
  const known = tagTypes.find(({ value }) => value === type);
  return known ? { tag_type: known.value } : {};
}

function detailsIn({ details }: Record<string, unknown>): { details?: DetailFilter[] } {
  if (!Array.isArray(details)) return {};
  const known = (details as unknown[])
    .filter(isDetailFilter)
    .map(({ key, value }) => ({ key, value: String(value) }))
    .slice(0, detailFiltersMax);
  return known.length === 0 ? {} : { details: known };
}

function isDetailFilter(given: unknown): given is { key: string; value: string | number | boolean } {
  if (typeof given !== 'object' || given === null || !('key' in given) || !('value' in given)) return false;
  const { key, value } = given;
  const isText = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return typeof key === 'string' && key !== '' && key.length <= 100 && isText && String(value).length <= 200;
}

function wholeNumber(value: unknown, min: number, max: number): number | undefined {
  const n = typeof value === 'string' ? Number(value) : value;
  return typeof n === 'number' && Number.isInteger(n) && n >= min && n <= max ? n : undefined;
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
export const nothingAsked: { [Key in keyof AssetSearch]-?: undefined } = {
  q: undefined,
  is_active: undefined,
  in_effect: undefined,
  location_id: undefined,
  kind_id: undefined,
  belongs_to_id: undefined,
  away: undefined,
  free: undefined,
  near: undefined,
  seen: undefined,
  unseen_days: undefined,
  moved: undefined,
  reader_id: undefined,
  tag_type: undefined,
  battery_low: undefined,
  has_problem: undefined,
  details: undefined,
  sort: undefined,
  limit: undefined,
  offset: undefined,
};

/** Returns whether the list shows fewer than all assets. */
export function isFiltered({ sort: _, limit: __, offset: ___, near: ____, ...filters }: AssetSearch): boolean {
  return Object.keys(filters).length > 0;
}
