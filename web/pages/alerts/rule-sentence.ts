import { numberText } from '../../ui/quantity.js';
import { t } from '@lingui/core/macro';
import { isMove, type Trigger, triggerOf } from '../../alerts/triggers.js';
import { durationText } from '../../ui/times.js';
import type { Rule, RuleNames } from './rule.js';

export type SentenceParts = {
  trigger: Trigger;
  assets: { kind: 'all' | 'match' | 'chosen'; value: string; names: readonly string[]; count?: number };
  /** Names of the chosen locations; none for all. `locationCount` where there are more than are named. */
  locations: readonly string[];
  locationCount?: number;
  limitSeconds: number;
};

/** Says in one sentence when a rule fires, such as "Forklift 7 leaves Hall or Yard". */
export function ruleSentence(parts: SentenceParts): string {
  const { trigger, locations, locationCount = locations.length, limitSeconds } = parts;
  const asset = assetPhrase(parts.assets);
  const place = locations.length === 0 ? undefined : either(locations, locationCount);
  const at = place === undefined ? '' : t` at ${place}`;
  const limit = durationText(limitSeconds * 1000);
  if (isMove(trigger)) {
    const verb = { leaving: 'leaves', entering: 'enters', both: t`enters or leaves` }[trigger];
    return `${asset} ${verb} ${place ?? t`a location`}`;
  }
  switch (trigger) {
    case 'asset.overdue':
      return t`${asset} is not seen for ${limit}${place === undefined ? '' : t`, last at ${place}`}`;
    case 'asset.dwell_exceeded':
      return t`${asset} is at ${place ?? t`a location`} for more than ${limit}`;
    case 'reader.offline':
      return t`A reader${at} sends nothing for ${limit}`;
    case 'reader.online':
      return t`A reader${at} comes back online`;
    case 'tag.unknown':
      return t`An unknown tag is read${at}`;
    case 'asset.created':
      return t`${asset} is created`;
    case 'asset.updated':
      return t`${asset} is changed`;
    case 'asset.deleted':
      return t`${asset} is deleted`;
    default:
      return t`${place ?? t`A location`} is ${{ 'location.created': 'created', 'location.updated': 'changed', 'location.deleted': 'deleted' }[trigger]}`;
  }
}

/** The sentence of a stored rule. */
export function sentenceOfRule(rule: Rule, names: RuleNames): string {
  const { assets, locations } = rule;
  const namesOf = (ids: readonly number[], named: readonly { id: number; name: string }[]) =>
    ids.flatMap((id) => named.find((item) => item.id === id)?.name ?? []);
  const assetIds = assets.ids ?? [];
  const locationIds = locations.ids ?? [];
  return ruleSentence({
    trigger: triggerOf(rule.event_type, rule.direction),
    assets: {
      kind: assets.kind,
      value: assets.value ?? '',
      names: namesOf(assetIds, names.assets),
      count: assetIds.length,
    },
    locations: namesOf(locationIds, names.locations),
    locationCount: locationIds.length,
    limitSeconds: rule.limit_seconds ?? 0,
  });
}

function assetPhrase({ kind, value, names, count = names.length }: SentenceParts['assets']): string {
  if (kind === 'match' && value.trim() !== '') return `“${value.trim()}”`;
  if (kind === 'chosen' && names.length > 0) return either(names, count);
  return t`An asset`;
}

/** "A", "A or B", "A, B or 3 others". */
function either(names: readonly string[], count: number): string {
  const [first = '', second] = names;
  if (count <= 1 || second === undefined) return count <= 1 ? first : t`${first} or ${others(count - 1)}`;
  return count === 2 ? t`${first} or ${second}` : t`${first}, ${second} or ${others(count - 2)}`;
}

function others(count: number): string {
  return count === 1 ? '1 other' : t`${numberText(count)} others`;
}
