import { t } from '@lingui/core/macro';
import {
  eventTypeOf,
  hasAssets,
  hasLimit,
  hasThreshold,
  isMove,
  locationLabelOf,
  type Trigger,
  triggerOf,
} from '../../alerts/triggers.js';
import { numberText } from '../../ui/quantity.js';
import type { Choice } from '../../ui/search-select.js';
import type { Rule, RuleInput, RuleNames } from './rule.js';
import { ruleSentence } from './rule-sentence.js';

/** An asset or location that a rule applies to. A deleted one has to be removed before the rule is saved. */
export type RuleChoice = Choice & { isDeleted?: boolean };

export const limitUnits = { minutes: 60, hours: 3600, days: 86_400 } as const;

/** The values of the form; `ruleOfValues` converts them to the rule that the service stores. */
export type RuleValues = {
  name: string;
  trigger: Trigger;
  assets: 'all' | 'match' | 'chosen';
  match_field: 'name' | 'external_key' | 'metadata';
  metadata_key: string;
  operator: 'contains' | 'starts_with' | 'equals';
  match_value: string;
  chosen_assets: RuleChoice[];
  /** Ids of kinds; none for all kinds. */
  kind_ids: string[];
  locations: RuleChoice[];
  include_sublocations: boolean;
  /** While somebody types, the value may not be a number. */
  limit: number | string;
  limit_unit: keyof typeof limitUnits;
  /** Percent or °C; like `limit`, it may not be a number while somebody types. */
  threshold: number | string;
  has_hours: boolean;
  days: string[];
  from: string;
  to: string;
  time_zone: string;
  quiet_seconds: string;
  app: boolean;
  email_user_ids: string[];
  email_mode: 'each' | 'hourly' | 'daily';
  endpoint_ids: string[];
};

const workdays = ['1', '2', '3', '4', '5'];

/** Returns a new rule, which shows its alerts in the app. */
export function newRuleValues(trigger: Trigger = 'leaving'): RuleValues {
  return {
    name: '',
    trigger,
    assets: 'all',
    match_field: 'name',
    metadata_key: '',
    operator: 'contains',
    match_value: '',
    chosen_assets: [],
    kind_ids: [],
    locations: [],
    include_sublocations: true,
    ...newLimit(trigger),
    threshold: newThresholds[trigger] ?? 0,
    has_hours: false,
    days: workdays,
    from: '08:00',
    to: '18:00',
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    quiet_seconds: '0',
    app: true,
    email_user_ids: [],
    email_mode: 'each',
    endpoint_ids: [],
  };
}

const newThresholds: Partial<Record<Trigger, number>> = {
  'asset.battery_low': 20,
  'asset.temperature_high': 8,
  'asset.temperature_low': 2,
};

function newLimit(trigger: Trigger): Pick<RuleValues, 'limit' | 'limit_unit'> {
  if (trigger === 'reader.offline' || hasThreshold(trigger)) return { limit: 10, limit_unit: 'minutes' };
  return { limit: 1, limit_unit: trigger === 'asset.overdue' ? 'days' : 'hours' };
}

/** Returns the values of the form for a rule. */
export function valuesOfRule(rule: Rule, names: RuleNames): RuleValues {
  const { assets, locations, schedule, notify, limit_seconds: limitSeconds } = rule;
  return {
    ...newRuleValues(triggerOf(rule.event_type, rule.direction)),
    name: rule.name,
    assets: assets.kind,
    ...(assets.field && { match_field: assets.field }),
    metadata_key: assets.metadata_key ?? '',
    ...(assets.operator && { operator: assets.operator }),
    match_value: assets.value ?? '',
    chosen_assets: choicesOf(assets.ids, names.assets),
    kind_ids: (assets.kind_ids ?? []).map(String),
    locations: choicesOf(locations.ids, names.locations),
    include_sublocations: locations.include_sublocations,
    ...(limitSeconds !== null && limitOf(limitSeconds)),
    ...(rule.threshold !== null && { threshold: rule.threshold }),
    has_hours: schedule !== null,
    ...(schedule && { ...schedule, days: schedule.days.map(String) }),
    quiet_seconds: String(rule.quiet_seconds),
    app: notify.app,
    email_user_ids: notify.email_user_ids.map(String),
    email_mode: notify.email_mode,
    endpoint_ids: notify.endpoint_ids.map(String),
  };
}

function choicesOf(
  ids: readonly number[] | undefined,
  named: readonly { id: number; name: string; is_deleted: boolean }[],
): RuleChoice[] {
  return (ids ?? []).map((id) => {
    const item = named.find((candidate) => candidate.id === id);
    return { id, label: item?.name ?? t`No. ${id}`, isDeleted: item?.is_deleted ?? true };
  });
}

/** Returns a time limit in the largest unit in which it is whole. */
function limitOf(seconds: number): Pick<RuleValues, 'limit' | 'limit_unit'> {
  const units = ['days', 'hours', 'minutes'] as const;
  const unit = units.find((candidate) => seconds % limitUnits[candidate] === 0) ?? 'minutes';
  return { limit: seconds / limitUnits[unit], limit_unit: unit };
}

export function limitSecondsOf({ limit, limit_unit: unit }: RuleValues): number {
  return Math.round(Number(limit) * limitUnits[unit]);
}

/** Returns a name that describes the rule, for when none is entered. */
export function suggestedName(values: RuleValues): string {
  const labels = (choices: readonly RuleChoice[]) => choices.map(({ label }) => label);
  return ruleSentence({
    trigger: values.trigger,
    assets: { kind: values.assets, value: values.match_value, names: labels(values.chosen_assets) },
    locations: labels(values.locations),
    limitSeconds: limitSecondsOf(values),
    threshold: Number(values.threshold),
  }).slice(0, 255);
}

/** Returns the part of a rule that decides when it fires. */
export function conditionsOf(values: RuleValues): Omit<RuleInput, 'name' | 'notify'> {
  const { trigger } = values;
  return {
    event_type: eventTypeOf(trigger),
    assets: hasAssets(trigger) ? { ...assetsOf(values), ...kindsOf(values) } : { kind: 'all' },
    locations: locationsOf(values),
    direction: isMove(trigger) ? trigger : 'both',
    limit_seconds: hasLimit(trigger) ? limitSecondsOf(values) : null,
    threshold: hasThreshold(trigger) ? Number(values.threshold) : null,
    schedule: values.has_hours
      ? { time_zone: values.time_zone, days: values.days.map(Number), from: values.from, to: values.to }
      : null,
    quiet_seconds: Number(values.quiet_seconds),
  };
}

export function ruleOfValues(values: RuleValues): RuleInput {
  return {
    ...conditionsOf(values),
    name: values.name.trim() === '' ? suggestedName(values) : values.name.trim(),
    notify: {
      app: values.app,
      email_user_ids: values.email_user_ids.map(Number),
      email_mode: values.email_mode,
      endpoint_ids: values.endpoint_ids.map(Number),
    },
  };
}

function kindsOf({ kind_ids: ids }: RuleValues): Pick<NonNullable<RuleInput['assets']>, 'kind_ids'> {
  return ids.length === 0 ? {} : { kind_ids: ids.map(Number) };
}

function assetsOf(values: RuleValues): RuleInput['assets'] {
  if (values.assets === 'chosen') return { kind: 'chosen', ids: values.chosen_assets.map(({ id }) => id) };
  if (values.assets === 'all') return { kind: 'all' };
  const { match_field: field, operator, match_value: value } = values;
  return {
    kind: 'match',
    field,
    operator,
    value: value.trim(),
    ...(field === 'metadata' && { metadata_key: values.metadata_key.trim() }),
  };
}

function locationsOf({ trigger, locations, include_sublocations }: RuleValues): RuleInput['locations'] {
  if (locationLabelOf(trigger) === undefined || locations.length === 0) return { kind: 'all', include_sublocations };
  return { kind: 'chosen', ids: locations.map(({ id }) => id), include_sublocations };
}

const limitSecondsMax = 90 * 86_400;

/** Returns what is missing in the fields of the condition, by field. If nothing is missing, a preview is possible. */
export function conditionProblems(values: RuleValues): Partial<Record<keyof RuleValues, string>> {
  const { trigger, assets } = values;
  const isLimited = hasAssets(trigger);
  const isMatch = isLimited && assets === 'match';
  const limit = limitSecondsOf(values);
  const problems: Partial<Record<keyof RuleValues, string | false>> = {
    match_value: isMatch && values.match_value.trim() === '' && t`Enter the text to look for`,
    metadata_key:
      isMatch &&
      values.match_field === 'metadata' &&
      values.metadata_key.trim() === '' &&
      t`Enter the name of the detail`,
    chosen_assets:
      isLimited &&
      assets === 'chosen' &&
      choiceProblem(values.chosen_assets, t`Remove the deleted asset`, t`Select at least one asset`),
    locations:
      locationLabelOf(trigger) !== undefined && choiceProblem(values.locations, t`Remove the deleted location`),
    limit:
      hasLimit(trigger) &&
      !(limit >= 60 && limit <= limitSecondsMax && values.limit !== '') &&
      t`Enter a time from 1 minute to 90 days`,
    threshold: thresholdProblem(values),
    days: values.has_hours && values.days.length === 0 && t`Select at least one day`,
    from: values.has_hours && values.from === '' && t`Enter a time`,
    to: values.has_hours && values.to === '' && t`Enter a time`,
  };
  return withoutFalse(problems);
}

function thresholdProblem({ trigger, threshold }: RuleValues): string | false {
  if (!hasThreshold(trigger)) return false;
  const isWhole = threshold !== '' && Number.isInteger(Number(threshold));
  const [min, max] = trigger === 'asset.battery_low' ? [1, 100] : [-100, 200];
  if (isWhole && Number(threshold) >= min && Number(threshold) <= max) return false;
  return t`Enter a whole number from ${numberText(min)} to ${numberText(max)}`;
}

/** Returns the same as `conditionProblems`, and what else is missing in the form. */
export function ruleProblems(values: RuleValues): Partial<Record<keyof RuleValues, string>> {
  const isSilent = !values.app && values.email_user_ids.length + values.endpoint_ids.length === 0;
  return { ...conditionProblems(values), ...(isSilent && { app: t`Select at least one way to be notified` }) };
}

function choiceProblem(choices: readonly RuleChoice[], ifDeleted: string, none?: string): string | false {
  if (choices.some(({ isDeleted }) => isDeleted)) return ifDeleted;
  return choices.length === 0 && none !== undefined && none;
}

function withoutFalse(problems: Partial<Record<keyof RuleValues, string | false>>) {
  return Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== false)) as Partial<
    Record<keyof RuleValues, string>
  >;
}
