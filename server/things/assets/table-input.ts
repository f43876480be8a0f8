import { z } from 'zod';
import { findFreeLocations } from '../locations/free.js';
import { tagTypes } from '../tags/schemas.js';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import {
  booleanParameter,
  idParameter,
  integerParameter,
  textParameter,
  timestampParameter,
} from '../../kernel/validation/parameters.js';
import { filterFields } from '../../kernel/validation/resource-fields.js';
import type { Queries } from '../../kernel/database/client.js';
import { type AwayPair, findAwayPairs } from '../../kernel/database/away.js';
import { findSubtree } from './location-paths.js';
import type { TableFilter } from './table-filter.js';

const dayMs = 86_400_000;

/** Custom details in the filter of one list, and in its columns. */
const detailFiltersMax = 5;
const detailColumnsMax = 10;

export const detailKeyField = textParameter({ min: 1, max: 100 });
export const detailValueField = textParameter({ min: 0, max: 200 });

const trueParameter = z.literal(true);

/** The filters of the app's list and of its export. */
export const tableFilterFields = {
  /**
   * Found anywhere in key, name, description and tags; one or two letters are found only at the beginning of key and
   * name.
   */
  q: filterFields.q,
  is_active: filterFields.is_active,
  /** Whether the asset is effective now. */
  in_effect: booleanParameter().exactOptional(),
  /** At this location or below it. */
  location_id: idParameter().exactOptional(),
  /** Of this kind. */
  kind_id: idParameter().exactOptional(),
  /** Belongs to this location or to one below it. */
  belongs_to_id: idParameter().exactOptional(),
  /** Whether it is known to be elsewhere than at the location that it belongs to, or below it. */
  away: trueParameter.exactOptional(),
  /** Whether it is active, without an open problem, and at a location whose assets are free to use. */
  free: trueParameter.exactOptional(),
  /** Whether it was ever seen. */
  seen: booleanParameter().exactOptional(),
  /** Not seen within this number of days, or never; with another condition on the position, or in the order of the last sighting, seen once. */
  unseen_days: integerParameter({ min: 1, max: 3650 }).exactOptional(),
  /** Came to its present location at this instant or later. */
  moved_since: timestampParameter().exactOptional(),
  /** Last seen by this reader. */
  reader_id: idParameter().exactOptional(),
  /** Has a tag of this type. */
  tag_type: choiceParameter(tagTypes).exactOptional(),
  /** Whether a tag's battery was last below 20 %. */
  battery_low: booleanParameter().exactOptional(),
  /** Whether it has an open problem. */
  has_problem: booleanParameter().exactOptional(),
  /** Has all of these custom details, each with exactly this value. */
  details: z
    .array(z.strictObject({ key: detailKeyField, value: detailValueField }))
    .max(detailFiltersMax)
    .exactOptional(),
};

const filterObject = z.strictObject(tableFilterFields);

/** The keys of custom details to return in `details`. */
export const detailColumnsField = z.array(detailKeyField).max(detailColumnsMax).default([]);

type TableFilterInput = z.output<typeof filterObject>;

/**
 * Returns the filter for an organization, with the ids of its locations.
 *
 * @returns hasLocation: false if it names a location that does not exist; hasFree: whether any location is marked as
 * having free assets, null if the filter does not ask for free assets
 */
export async function readTableFilter(db: Queries, orgId: number, wanted: TableFilterInput) {
  const { unseen_days: days, free, is_active: isActive, location_id: locationId } = wanted;
  const below = locationId === undefined ? undefined : await findSubtree(db, orgId, locationId);
  const own = wanted.belongs_to_id === undefined ? undefined : await findSubtree(db, orgId, wanted.belongs_to_id);
  const freeIds = free && new Set(await findFreeLocations(db, orgId));
  const filter: TableFilter = {
    q: wanted.q,
    isActive: isActive ?? free,
    kindId: wanted.kind_id,
    belongsToIds: own,
    away: wanted.away && pairsWithin(await findAwayPairs(db, orgId), { own, below }),
    inEffect: wanted.in_effect,
    locationIds: freeIds ? (below ?? [...freeIds]).filter((id) => freeIds.has(id)) : below,
    isSeen: wanted.seen,
    // Assets that were never seen have not been seen within any time.
    seenBeforeMs: days === undefined || wanted.seen === false ? undefined : Date.now() - days * dayMs,
    movedSinceMs: wanted.moved_since,
    readerId: wanted.reader_id,
    tagType: wanted.tag_type,
    batteryLow: wanted.battery_low,
    hasProblem: wanted.has_problem ?? (free ? false : undefined),
    metadata: wanted.details,
  };
  return { filter, hasLocation: below?.length !== 0 && own?.length !== 0, hasFree: freeIds ? freeIds.size > 0 : null };
}

/** Returns the pairs of locations that a filter also asks for, so that other assets that are away are not read. */
function pairsWithin(
  pairs: readonly AwayPair[],
  { own, below }: { own: readonly number[] | undefined; below: readonly number[] | undefined },
): AwayPair[] {
  const [ownIds, belowIds] = [own && new Set(own), below && new Set(below)];
  return pairs.filter((pair) => (ownIds?.has(pair.belongs_to_id) ?? true) && (belowIds?.has(pair.location_id) ?? true));
}
