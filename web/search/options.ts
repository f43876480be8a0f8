import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';
import { containerNames } from '../containers/words.js';
import type { Placement } from '../ui/seen-when.js';
import { asOf } from '../offline/seen-asset-card.js';
import { texts as planTexts } from '../plans/texts.js';
import type { Kind } from '../kinds/kind-picture.js';
import type { Usable } from '../kinds/use-badge.js';
import type { AssetSearch } from '../pages/assets/search.js';
import type { SeenAsset } from '../scanning/store.js';
import { quantity } from '../ui/quantity.js';
import { tagTypeName } from '../ui/tag-badge.js';
import { foldText } from '../ui/fold-text.js';

type Findings = Outputs['search']['everything'];

/** An object or page to open. */
export type Target =
  | { kind: 'asset' | 'location' | 'plan'; id: number }
  | { kind: 'reader'; id: number; name: string }
  | { kind: 'assets'; search: AssetSearch }
  | { kind: 'page'; path: string };

/** A line of the palette. Keys distinguish two lines with the same target. */
export type Option = {
  key: string;
  label: string;
  detail: string;
  to: Target;
  /** Where an asset is, when it was seen or placed, and its photo. */
  asset?: {
    path: readonly string[];
    seen: string | null;
    placement: Placement | null;
    photoId: number | null;
    kind: Kind | null;
    use: Usable;
  };
};

export type OptionGroup = { label: string; options: Option[] };

/** Fewer than for other nouns, since each plan's location is found, too. */
const plansShownMax = 5;
const kindsShownMax = 3;
const lastKnownMax = 8;

/** Returns the results as lines in groups. Tags come first if the text is exactly the value of a tag. */
export function groupsOf(found: Findings, search: AssetSearch & { q: string }): OptionGroup[] {
  const { q } = search;
  const groups = [
    assetGroup(found.assets, {
      search,
      count: found.asset_count,
      isExact: found.asset_count_is_exact,
    }),
    { label: t`Locations`, options: found.locations.map(locationOption) },
    { label: t`Readers`, options: found.readers.map(readerOption) },
  ];
  const tags = { label: t`Tags`, options: found.tags.flatMap(tagOption) };
  const plans = { label: t`Floor plans`, options: found.plans.slice(0, plansShownMax).map(planOption) };
  const isExact = found.tags.some(({ value }) => normal(value) === normal(q));
  return [...(isExact ? [tags, ...groups] : [...groups, tags]), plans].filter(({ options }) => options.length > 0);
}

function normal(value: string): string {
  return value.trim().toUpperCase().replaceAll(/[:-]/g, '');
}

type Asset = Omit<Findings['assets'][number], 'photo_id'> & { photo_id?: number | null };

/** Assets that were found, of all that the table shows for `search`. */
export function assetGroup(
  assets: readonly Asset[],
  { search, count, isExact }: { search: AssetSearch; count: number; isExact: boolean },
): OptionGroup {
  const all: Option = {
    key: 'assets',
    label: isExact ? t`Show all ${quantity(count, 'asset')}` : t`Show all assets found`,
    detail: '',
    to: { kind: 'assets', search },
  };
  const options = assets.map(assetOption);
  // If the text finds one asset, a link to the table would show nothing more. Filters only work in the table.
  const isOffered = count > 1 || (count === 1 && Object.keys(search).some((part) => part !== 'q' && part !== 'near'));
  return { label: t`Assets`, options: isOffered ? [...options, all] : options };
}

function assetOption({ id, name, external_key: key, is_active: isActive, has_problem, ...asset }: Asset): Option {
  const { location, asset_last_seen: seen, placement, kind, photo_id: photoId = kind?.image_id ?? null } = asset;
  const detail = isActive ? key : t`${key}, inactive`;
  const path = pathOf(asset);
  return {
    key: `asset-${id}`,
    label: name,
    detail,
    to: { kind: 'asset', id },
    asset: { path, seen, placement, photoId, kind, use: { is_active: isActive, has_problem, location } },
  };
}

/** Returns where an asset is: the path of its location, or the containers that it is in and the name of its location. */
function pathOf({
  location,
  containers,
  asset_last_seen: seen,
}: Pick<Asset, 'location' | 'containers' | 'asset_last_seen'>) {
  if (containers.length > 0) return [t`in ${containerNames(containers)}`, ...(location ? [location.name] : [])];
  return location?.path.map((step) => step.name) ?? (seen === null ? [] : [t`No location`]);
}

/** Assets that this device remembers, each with its location and the time of this information. */
export function lastKnownGroup(assets: readonly SeenAsset[]): OptionGroup[] {
  const options = assets.slice(0, lastKnownMax).map(({ id, name, place, at }): Option => {
    const detail = [place === '' ? t`No location` : place, asOf(at)].join(', ');
    return { key: `asset-${id}`, label: name, detail, to: { kind: 'asset', id } };
  });
  return options.length === 0 ? [] : [{ label: t`Not connected: last known places`, options }];
}

/** Kinds whose name contains a text; each opens its assets in the table. */
export function kindGroup(kinds: Outputs['assetKinds']['list']['data'], q: string): OptionGroup[] {
  const wanted = foldText(q.trim());
  const options = kinds
    .filter(({ name }) => wanted.length > 2 && foldText(name).includes(wanted))
    .slice(0, kindsShownMax)
    .map(({ id, name, asset_count: count }): Option => {
      const to: Target = { kind: 'assets', search: { kind_id: id } };
      return { key: `kind-${id}`, label: name, detail: quantity(count, 'asset'), to };
    });
  return options.length === 0 ? [] : [{ label: t`Kinds of assets`, options }];
}

function locationOption({ id, name, external_key: key, path }: Findings['locations'][number]): Option {
  const detail = path.length === 0 ? key : path.join(' › ');
  return { key: `location-${id}`, label: name, detail, to: { kind: 'location', id } };
}

function planOption({ id, name, path }: Findings['plans'][number]): Option {
  return { key: `plan-${id}`, label: name, detail: [planTexts.title, ...path].join(' › '), to: { kind: 'plan', id } };
}

function readerOption({ id, name, mqtt_username: user }: Findings['readers'][number]): Option {
  return { key: `reader-${id}`, label: name, detail: user ?? t`Reader`, to: { kind: 'reader', id, name } };
}

function tagOption({ id, tag_type: type, value, asset, location }: Findings['tags'][number]): Option[] {
  const parent = asset ?? location;
  if (!parent) return [];
  const to: Target = { kind: asset ? 'asset' : 'location', id: parent.id };
  return [{ key: `tag-${id}`, label: value, detail: t`${tagTypeName(type)} tag of ${parent.name}`, to }];
}
