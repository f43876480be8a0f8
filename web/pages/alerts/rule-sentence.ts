import { numberText } from '../../ui/quantity.js';
import { plural, t } from '@lingui/core/macro';
import { isMove, type MoveTrigger, type Trigger, triggerOf } from '../../alerts/triggers.js';
import { durationText } from '../../ui/times.js';
import type { Rule, RuleNames } from './rule.js';

export type SentenceParts = {
  trigger: Trigger;
  assets: { kind: 'all' | 'match' | 'chosen'; value: string; names: readonly string[]; count?: number };
  /**
   * Names of the chosen locations; none for all locations. `locationCount` is set if there are more than the named
   * ones.
   */
  locations: readonly string[];
  locationCount?: number;
  limitSeconds: number;
  threshold: number;
};

/** Returns one sentence about when a rule fires, such as "Forklift 7 leaves Hall or Yard". */
export function ruleSentence(parts: SentenceParts): string {
  const { trigger, locations, locationCount = locations.length, limitSeconds } = parts;
  const asset = assetPhrase(parts.assets);
  const locationName = locations.length === 0 ? undefined : either(locations, locationCount);
  const limit = durationText(limitSeconds * 1000);
  const threshold = numberText(parts.threshold);
  if (isMove(trigger)) return moveSentence(trigger, asset, locationName ?? t`a location`);
  switch (trigger) {
    case 'asset.overdue':
      return locationName === undefined
        ? t`${asset} is not seen for ${limit}`
        : t`${asset} is not seen for ${limit}, last at ${locationName}`;
    case 'asset.dwell_exceeded':
      return t`${asset} is at ${locationName ?? t`a location`} for more than ${limit}`;
    case 'asset.away':
      return locationName === undefined
        ? t`${asset} is away from where it belongs for more than ${limit}`
        : t`${asset} that belongs to ${locationName} is away for more than ${limit}`;
    case 'asset.battery_low':
      return t`The battery of ${asset} is below ${threshold} % for ${limit}`;
    case 'asset.temperature_high':
      return t`The temperature of ${asset} is above ${threshold} °C for ${limit}`;
    case 'asset.temperature_low':
      return t`The temperature of ${asset} is below ${threshold} °C for ${limit}`;
    case 'asset.button_pressed':
      return locationName === undefined
        ? t`The button of ${asset} is pressed`
        : t`The button of ${asset} is pressed at ${locationName}`;
    case 'asset.left_container':
      return locationName === undefined
        ? t`${asset} leaves its container`
        : t`${asset} leaves its container at ${locationName}`;
    case 'asset.problem_reported':
      return locationName === undefined
        ? t`${asset} is reported to have a problem`
        : t`${asset} at ${locationName} is reported to have a problem`;
    case 'reader.offline':
      return locationName === undefined
        ? t`A reader sends nothing for ${limit}`
        : t`A reader at ${locationName} sends nothing for ${limit}`;
    case 'reader.online':
      return locationName === undefined
        ? t`A reader comes back online`
        : t`A reader at ${locationName} comes back online`;
    case 'tag.unknown':
      return locationName === undefined ? t`An unknown tag is read` : t`An unknown tag is read at ${locationName}`;
    case 'asset.created':
      return t`${asset} is created`;
    case 'asset.updated':
      return t`${asset} is changed`;
    case 'asset.deleted':
      return t`${asset} is deleted`;
    case 'location.created':
      return t`${locationName ?? t`A location`} is created`;
    case 'location.updated':
      return t`${locationName ?? t`A location`} is changed`;
    case 'location.deleted':
      return t`${locationName ?? t`A location`} is deleted`;
  }
}

function moveSentence(trigger: MoveTrigger, asset: string, locationName: string): string {
  switch (trigger) {
    case 'leaving':
      return t`${asset} leaves ${locationName}`;
    case 'entering':
      return t`${asset} enters ${locationName}`;
    case 'both':
      return t`${asset} enters or leaves ${locationName}`;
  }
}

/** Returns the sentence of a stored rule. */
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
    threshold: rule.threshold ?? 0,
  });
}

function assetPhrase({ kind, value, names, count = names.length }: SentenceParts['assets']): string {
  if (kind === 'match' && value.trim() !== '') return t`“${value.trim()}”`;
  if (kind === 'chosen' && names.length > 0) return either(names, count);
  return t`An asset`;
}

/** Returns "A", "A or B", or "A, B or 3 others". */
function either(names: readonly string[], count: number): string {
  const [first = '', second] = names;
  if (count <= 1) return first;
  if (second === undefined) {
    const others = numberText(count - 1);
    return plural(count - 1, { one: `${first} or ${others} other`, other: `${first} or ${others} others` });
  }
  if (count === 2) return t`${first} or ${second}`;
  const others = numberText(count - 2);
  return plural(count - 2, {
    one: `${first}, ${second} or ${others} other`,
    other: `${first}, ${second} or ${others} others`,
  });
}
