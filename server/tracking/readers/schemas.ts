import { fieldFault } from '../../kernel/field-reasons.js';
import { z } from 'zod';
import { pagingFields } from '../../kernel/lists.js';
import { tagTypes } from '../../things/tags/schemas.js';
import { choiceField } from '../../kernel/validation/choice-field.js';
import { describedAs, fail, failureIn, field, issueOf, type Read } from '../../kernel/validation/failure.js';
import {
  booleanField,
  checkText,
  idField,
  integerField,
  integerReader,
  jsonTypeOf,
  missing,
  nullableIdField,
  nullableTextField,
  wrongType,
} from '../../kernel/validation/fields.js';
import { listField } from '../../kernel/validation/list-field.js';
import { nameField } from '../../kernel/validation/resource-fields.js';
import { expressionFlaw } from './expressions.js';
import { type MappingPaths, readerFormats, timeUnits } from './formats.js';

const antennasMax = 256;
const moreTopicsMax = 20;
const portMax = 65_535;
const resolutionSecondsMax = 86_400;
const rssiDbmMin = -200;
const rssiDbmMax = 100;

/** MQTT forbids NUL; other control characters are rejected because they are invisible in a list. */
const topicRule = {
  min: 1,
  max: 255,
  pattern: /^[^\x00-\x1F\x7F]*$/,
  words: 'no control characters',
} as const;

const expressionMax = 500;

type CreateOrPatch = 'create-default' | 'patch';

const topicsField = field<string[]>(
  (value) => {
    if (value === undefined || value === null) return missing;
    if (!Array.isArray(value)) return wrongType('array', value);
    if (value.length > moreTopicsMax) return fail('too_many_items', { max: moreTopicsMax });
    for (const topic of value as unknown[]) {
      const checked = typeof topic === 'string' ? checkText(topic, topicRule) : wrongType('string', topic);
      if (typeof checked !== 'string') return checked;
    }
    return [...new Set(value as string[])];
  },
  { type: 'array', items: { type: 'string', minLength: topicRule.min, maxLength: topicRule.max } },
);

const nullableRssi = field<number | null>(integerReader({ min: rssiDbmMin, max: rssiDbmMax }, 'value'), {
  type: 'integer',
  minimum: rssiDbmMin,
  maximum: rssiDbmMax,
  nullable: true,
});

/** How a reader's reads decide where an asset is: together with all other evidence, or each read by itself. */
export const locationRules = ['evidence', 'newest'] as const;

export type LocationRule = (typeof locationRules)[number];

/** An antenna covers a zone, where assets remain, or a portal, which they pass through. */
export const antennaKinds = ['zone', 'portal'] as const;

const antenna = z.strictObject({
  port: integerField({ min: 0, max: portMax }, 'required'),
  location_id: nullableIdField().default(null),
  min_rssi_dbm: nullableRssi.default(null),
  kind: choiceField(antennaKinds, 'create-default').default('zone'),
});

/** An antenna port with its location, its RSSI threshold and its kind; each port at most once. */
export type Antenna = z.output<typeof antenna>;

const antennasField = listField(antenna, { min: 0, max: antennasMax }).superRefine((antennas, context) => {
  const ports = new Set<number>();
  for (const [index, { port }] of antennas.entries()) {
    if (ports.has(port)) {
      context.issues.push(issueOf(fieldFault('port_named_twice', { port }), port, [index, 'port']));
    }
    ports.add(port);
  }
});

const mappingShape = z.strictObject({
  list: nullablePath(),
  condition: nullablePath(),
  value: field<string>(pathReader, { type: 'string' }),
  antenna: nullablePath(),
  rssi: nullablePath(),
  time: nullablePath(),
});

function pathReader(value: unknown) {
  if (value === undefined || value === null || value === '') return missing;
  if (typeof value !== 'string') return wrongType('string', value);
  if (value.length > expressionMax) return fail('text_too_long', { max: expressionMax });
  const flaw = expressionFlaw(value);
  return flaw === undefined ? value : fail('not_expression', { flaw });
}

function nullablePath() {
  const read: Read<string | null> = (value) => (value === null || value === '' ? null : pathReader(value));
  return field<string | null>(read, { type: 'string', nullable: true }).exactOptional();
}

/** The paths of a `mapped` payload; null if the format does not use them. Empty paths are left out. */
const mappingField = z
  .unknown()
  .transform((value, context): MappingPaths | null => {
    if (value === null) return null;
    if (jsonTypeOf(value) !== 'object') {
      context.issues.push(issueOf(failureIn(wrongType('object', value)), value));
      return null;
    }
    const result = mappingShape.safeParse(value);
    if (!result.success) {
      for (const issue of result.error.issues) context.issues.push({ ...issue, input: value } as never);
      return null;
    }
    return Object.fromEntries(Object.entries(result.data).filter(([, path]) => path !== null)) as MappingPaths;
  })
  .meta(describedAs({ type: 'object', nullable: true })) as unknown as z.ZodType<MappingPaths | null>;

function settingFields(onNull: CreateOrPatch) {
  return {
    format: choiceField(readerFormats, onNull).exactOptional(),
    location_id: nullableIdField().exactOptional(),
    antennas: antennasField.exactOptional(),
    publish_topic: nullableTextField(topicRule).exactOptional(),
    more_topics: topicsField.exactOptional(),
    resolution_seconds: integerField({ min: 0, max: resolutionSecondsMax }, onNull).exactOptional(),
    use_receipt_time: booleanField(onNull).exactOptional(),
    count_private_addresses: booleanField(onNull).exactOptional(),
    location_rule: choiceField(locationRules, onNull).exactOptional(),
    mapping: mappingField.exactOptional(),
    time_unit: choiceField(timeUnits, onNull).exactOptional(),
    tag_type: choiceField(tagTypes, onNull).exactOptional(),
  };
}

export const createReaderInput = z.strictObject({
  name: nameField('create-string'),
  ...settingFields('create-default'),
});

export type CreateReaderInput = z.output<typeof createReaderInput>;

export const readerIdInput = z.strictObject({ id: idField('required') });

export const updateReaderInput = z.strictObject({
  id: idField('required'),
  name: nameField('patch').exactOptional(),
  ...settingFields('patch'),
});

export type UpdateReaderInput = z.output<typeof updateReaderInput>;

/** A rejected message that is kept has no more bytes. */
const messageLengthMax = 65_536;

const messageField = z.string().max(messageLengthMax);

export const proposeMappingInput = z.strictObject({
  id: idField('required'),
  topic: z.string().max(messageLengthMax),
  message: messageField,
});

/** `id`: the reader whose last rejected messages are tried too, missing for one that is being created. */
export const tryMappingInput = z.strictObject({
  id: idField('required').exactOptional(),
  message: messageField.exactOptional(),
  topic: z.string().max(messageLengthMax).exactOptional(),
  mapping: mappingShape,
  time_unit: choiceField(timeUnits, 'create-default'),
  tag_type: choiceField(tagTypes, 'create-default'),
});

export const listReadersInput = z.strictObject(pagingFields).prefault({});
