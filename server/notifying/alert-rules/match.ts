import { foldText } from '../../kernel/fold-text.js';
import type { Condition } from './queries.js';
import type { AssetCondition, LocationCondition } from './schemas.js';

/** The properties of an asset that rules compare. */
export type MatchedAsset = {
  id: number;
  external_key: string;
  name: string;
  kind_id: number | null;
  /** Has at least the fields that rules compare. */
  metadata: Record<string, unknown> | null;
};

/** The ids of a location and of all locations above it. */
export type LocationLine = readonly number[];

/** The properties of an event that rules compare. Properties that its type does not have are undefined. */
export type MatchedEvent = {
  asset?: MatchedAsset | undefined;
  /** For a move: the two locations; null is no location. */
  move?: { from: LocationLine | null; to: LocationLine | null };
  /** For other events: where it happened; null is no location. */
  location?: LocationLine | null;
};

/** Returns whether an event matches the condition of a rule. */
export function matchesCondition({ assets, locations, direction }: Condition, event: MatchedEvent): boolean {
  if (event.asset && !matchesAsset(assets, event.asset)) return false;
  if (event.move) return crosses({ locations, direction }, event.move);
  if (event.location !== undefined) return contains(locations, event.location) || locations.kind === 'all';
  return true;
}

function crosses(
  { locations, direction }: Pick<Condition, 'locations' | 'direction'>,
  { from, to }: { from: LocationLine | null; to: LocationLine | null },
): boolean {
  if (locations.kind === 'all') {
    if (direction === 'entering') return to !== null;
    return direction === 'leaving' ? from !== null : true;
  }
  const [wasInside, isInside] = [contains(locations, from), contains(locations, to)];
  if (direction === 'entering') return !wasInside && isInside;
  if (direction === 'leaving') return wasInside && !isInside;
  return wasInside !== isInside;
}

/**
 * Returns whether a location is chosen, or is below a chosen location if sublocations count. A condition on all
 * locations contains every location.
 */
function contains(locations: LocationCondition, line: LocationLine | null): boolean {
  if (line === null) return false;
  if (locations.kind === 'all') return true;
  const chosen = locations.ids ?? [];
  const own = line.at(-1);
  return locations.include_sublocations ? line.some((id) => chosen.includes(id)) : chosen.some((id) => id === own);
}

function matchesAsset(condition: AssetCondition, asset: MatchedAsset): boolean {
  const kinds = condition.kind_ids ?? [];
  if (kinds.length > 0 && (asset.kind_id === null || !kinds.includes(asset.kind_id))) return false;
  if (condition.kind === 'all') return true;
  if (condition.kind === 'chosen') return condition.ids?.includes(asset.id) ?? false;
  const text = textOf(condition, asset);
  if (text === undefined || condition.value === undefined) return false;
  return compares(condition.operator, foldText(text), foldText(condition.value));
}

function compares(operator: AssetCondition['operator'], text: string, wanted: string): boolean {
  if (operator === 'equals') return text === wanted;
  return operator === 'starts_with' ? text.startsWith(wanted) : text.includes(wanted);
}

/** Returns the text of the compared field; metadata is compared only if it is a text, number or boolean. */
function textOf({ field, metadata_key: key }: AssetCondition, asset: MatchedAsset): string | undefined {
  if (field !== 'metadata') return field === undefined ? undefined : asset[field];
  const metadata = asset.metadata ?? {};
  if (key === undefined || !Object.hasOwn(metadata, key)) return undefined;
  const value = metadata[key];
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
