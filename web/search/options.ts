import { t } from '@lingui/core/macro';
import type { Outputs } from '../api/trpc.js';
import { texts as planTexts } from '../plans/texts.js';
import { tagTypeName } from '../ui/tag-badge.js';

type Findings = Outputs['search']['everything'];

/** Something to open. */
export type Target =
  | { kind: 'asset' | 'location' | 'plan'; id: number }
  | { kind: 'reader'; id: number; name: string }
  | { kind: 'page'; path: string };

/** A line of the palette. Keys distinguish two lines with the same target. */
export type Option = { key: string; label: string; detail: string; to: Target };

export type OptionGroup = { label: string; options: Option[] };

/** Fewer than of what has a line of its own anyway: each plan's location is found, too. */
const plansShownMax = 5;

/** Returns what was found as lines in groups; tags come first where the text is exactly the value of one. */
export function groupsOf(found: Findings, q: string): OptionGroup[] {
  const groups = [
    { label: t`Assets`, options: found.assets.map(assetOption) },
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

function assetOption({ id, name, external_key: key, is_active: isActive }: Findings['assets'][number]): Option {
  const detail = isActive ? key : t`${key}, inactive`;
  return { key: `asset-${id}`, label: name, detail, to: { kind: 'asset', id } };
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
