import { fieldFault } from '../../kernel/field-reasons.js';
import { z } from 'zod';
import { choiceParameter } from '../../kernel/validation/choice-field.js';
import { fail, type Failure, field, issueOf } from '../../kernel/validation/failure.js';
import {
  booleanField,
  idField,
  integerField,
  textField,
  timestampField,
  wrongType,
} from '../../kernel/validation/fields.js';
import { idListField } from '../../kernel/validation/id-list.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { timeZoneField } from '../../kernel/validation/time-zone.js';
import { eventTypes, isLimit, isTimed } from '../events/event-types.js';

/** Kinds of assets that a rule can be limited to. */
const ruleKindsMax = 200;

/** Rules of one organization; each event is compared with all of them. */
export const rulesMax = 100;

const chosenAssetsMax = 500;
const chosenLocationsMax = 100;
const recipientsMax = 50;
const endpointsMax = 10;
const limitSecondsMin = 60;
const limitSecondsMax = 90 * 86_400;
const quietSecondsMax = 30 * 86_400;
/** Percent of a battery, or °C; `checkRule` knows which. */
const threshold = { min: -100, max: 200 };

const assetFields = ['name', 'external_key', 'metadata'] as const;
const operators = ['equals', 'contains', 'starts_with'] as const;
const directions = ['entering', 'leaving', 'both'] as const;
export const emailModes = ['each', 'hourly', 'daily'] as const;

export type EmailMode = (typeof emailModes)[number];

const matchText = { min: 1, max: 255 };

/** The assets a rule applies to: all, chosen ones, or those with a matching field. Letter case is ignored. */
const assetsField = z.strictObject({
  kind: choiceParameter(['all', 'chosen', 'match']),
  ids: idListField(chosenAssetsMax).exactOptional(),
  field: choiceParameter(assetFields).exactOptional(),
  /** The top-level field of the metadata that is compared. */
  metadata_key: textField(matchText, 'create-string').exactOptional(),
  operator: choiceParameter(operators).exactOptional(),
  value: textField(matchText, 'create-string').exactOptional(),
  /** Only assets of these kinds; if empty, assets of all kinds. */
  kind_ids: idListField(ruleKindsMax, 0).exactOptional(),
});

export type AssetCondition = z.output<typeof assetsField>;

const locationsField = z.strictObject({
  kind: choiceParameter(['all', 'chosen']),
  ids: idListField(chosenLocationsMax).exactOptional(),
  include_sublocations: booleanField('create-default').default(true),
});

export type LocationCondition = z.output<typeof locationsField>;

const clockField = textField(
  { min: 5, max: 5, pattern: /^(?:[01]\d|2[0-3]):[0-5]\d$/, words: 'a time of day such as 08:30' },
  'create-string',
);

/** Days of the week, 1 is Monday. */
const daysField = field<number[]>(
  (value) => {
    if (!Array.isArray(value)) return wrongType('array', value);
    const days = [...new Set(value as unknown[])];
    if (days.length === 0 || !days.every((day) => Number.isInteger(day) && Number(day) >= 1 && Number(day) <= 7)) {
      return fail('not_weekdays');
    }
    return days.map(Number).sort((one, other) => one - other);
  },
  { type: 'array', items: { type: 'integer', minimum: 1, maximum: 7 } },
);

/**
 * When a rule is active. If hours end before they begin, they run past midnight; if begin and end are equal, they are
 * the whole day.
 */
const scheduleShape = z.strictObject({ time_zone: timeZoneField, days: daysField, from: clockField, to: clockField });

export type Schedule = z.output<typeof scheduleShape>;

const notifyField = z.strictObject({
  app: booleanField('create-default').default(true),
  email_user_ids: idListField(recipientsMax, 0).default([]),
  email_mode: choiceParameter(emailModes).default('each'),
  endpoint_ids: idListField(endpointsMax, 0).default([]),
});

const ruleFields = {
  name: nameField('create-string'),
  event_type: choiceParameter(eventTypes),
  is_enabled: booleanField('create-default').default(true),
  assets: assetsField.default({ kind: 'all' }),
  locations: locationsField.default({ kind: 'all', include_sublocations: true }),
  /** For moves and dwell: the direction in which the asset crosses the boundary of the locations. */
  direction: choiceParameter(directions).default('both'),
  limit_seconds: integerField({ min: limitSecondsMin, max: limitSecondsMax }, 'create-default')
    .nullable()
    .default(null),
  /** For measured values: the percent that the battery is below, or the °C that the temperature is above or below. */
  threshold: integerField(threshold, 'create-default').nullable().default(null),
  schedule: scheduleShape.nullable().default(null),
  /** How long the rule does not report the same subject again. */
  quiet_seconds: integerField({ min: 0, max: quietSecondsMax }, 'create-default').default(0),
  notify: notifyField.default({ app: true, email_user_ids: [], email_mode: 'each', endpoint_ids: [] }),
};

const ruleShape = z.strictObject(ruleFields);

export const ruleInput = ruleShape.superRefine(checkRule);

/** A saved rule. */
export type RuleInput = z.output<typeof ruleInput>;

/** Replaces the whole rule. With `updated_at`, only if nobody has changed the rule since. */
export const updateRuleInput = z
  .strictObject({ id: idField('required'), updated_at: timestampField('patch').exactOptional(), ...ruleFields })
  .superRefine(checkRule);

export const ruleIdInput = z.strictObject({ id: idField('required') });

export const setEnabledInput = z.strictObject({
  id: idField('required'),
  is_enabled: booleanField('create-default'),
});

/** Checks the rules between the fields of a rule. */
function checkRule(rule: z.output<typeof ruleShape>, context: z.RefinementCtx): void {
  const { assets, locations, limit_seconds: limit, threshold, event_type: type } = rule;
  const required = (path: string[]) => report(path, fieldFault('required'));
  const report = (path: string[], failure: Failure) => context.addIssue(issueOf(failure, undefined, path));
  if (assets.kind === 'chosen' && !assets.ids) required(['assets', 'ids']);
  if (assets.kind === 'match') {
    for (const key of ['field', 'operator', 'value'] as const) {
      if (assets[key] === undefined) required(['assets', key]);
    }
    if (assets.field === 'metadata' && assets.metadata_key === undefined) required(['assets', 'metadata_key']);
  }
  if (locations.kind === 'chosen' && !locations.ids) required(['locations', 'ids']);
  if (isTimed(type) && limit === null) required(['limit_seconds']);
  if (!isTimed(type) && limit !== null) {
    report(['limit_seconds'], fieldFault('not_applicable', { type }));
  }
  if (isLimit(type) && threshold === null) required(['threshold']);
  if (!isLimit(type) && threshold !== null) {
    report(['threshold'], fieldFault('not_applicable', { type }));
  }
  if (type === 'asset.battery_low' && threshold !== null && (threshold < 1 || threshold > 100)) {
    report(['threshold'], fieldFault('not_percentage'));
  }
}
