import { t } from '@lingui/core/macro';
import type {
  FieldReason,
  FieldReasonName,
  FieldReasonParams,
  PatternWords,
} from '../../server/kernel/field-reasons.js';
import { missingText, requestText } from './field-texts.js';

export type { FieldReason };

const generalText = t`Check this value`;
const unfittingText = t`This can’t be saved here`;
const checkedText = t`Check this text`;

const patternTexts: Readonly<Record<PatternWords, string>> = {
  'letters, digits and hyphens only': t`Use letters, digits and hyphens only`,
  'no control characters, no white space at the ends': t`Remove the line breaks or control characters`,
  'no control characters other than tab, LF and CR': t`Remove the control characters`,
  'no control characters': t`Remove the control characters`,
  'a time of day such as 08:30': t`Enter a time of day, such as 08:30`,
  'a key in base64url': checkedText,
  'a query of an address': checkedText,
  'the cursor of an undo': checkedText,
  'the cursor of a page': checkedText,
  'the id of a change': checkedText,
  'user: or key: and an id': checkedText,
  'an id': checkedText,
  'a UUID': checkedText,
};

/** A text, or what makes it of the reason's parameters and the contract's name of the field. */
type Text<Name extends FieldReasonName> = string | ((params: FieldReasonParams<Name>, field: string) => string);

const requested = (_params: unknown, field: string) => requestText(field);
const missing = (_params: unknown, field: string) => missingText(field);

/** What a person is to do about a field that the service refused: one short sentence without technical names. */
const texts: { readonly [Name in FieldReasonName]: Text<Name> } = {
  required: requested,
  no_null: requested,
  wrong_type: ({ expected }, field) => (expected === 'number' ? t`Enter a number` : requestText(field)),
  not_one_of: t`Choose one of the options`,
  not_some_of: t`Choose one of the options`,
  not_integer: t`Enter a whole number`,
  too_small: ({ min }) => t`Enter at least ${String(min)}`,
  too_large: ({ max }) => t`Enter at most ${String(max)}`,
  text_too_short: ({ min }, field) => (min === 1 ? requestText(field) : t`Use at least ${String(min)} characters`),
  text_too_long: ({ max }) => t`Use at most ${String(max)} characters`,
  pattern: ({ words }) => (words === undefined ? checkedText : patternTexts[words]),
  not_ulid: generalText,
  not_storable: t`Remove the characters that can’t be stored`,
  too_few_items: ({ min }) => (min === 1 ? t`Choose at least one` : t`Choose at least ${String(min)}`),
  too_many_items: ({ max }) => t`Choose at most ${String(max)}`,
  not_timestamp: t`Enter a valid date and time`,
  default_timestamp: t`Enter a valid date and time`,
  inexact_integer: t`A number is too large. Enter it as text, in quotation marks`,
  nested_too_deeply: t`This has too many levels`,
  details_too_long: t`Shorten the custom details`,
  details_together_too_long: t`The custom details of these assets are too long for one change`,
  not_found: missing,
  changed_since: t`Somebody else changed this. Load the page again`,

  repeated: generalText,
  not_boolean: generalText,
  empty_item: generalText,
  unknown_sort: generalText,
  repeated_sort: generalText,
  no_sort: generalText,
  mutually_exclusive: unfittingText,
  location_read_only: unfittingText,
  not_app_path: generalText,
  wrong_ids: ({ max }) => t`Choose at most ${String(max)}`,
  wrong_points: generalText,
  points_outside: generalText,

  not_email: t`Enter a valid email address`,
  address_not_invited: ({ email: invited }) => t`Use the address that was invited: ${invited}`,
  wrong_password: t`This password is incorrect`,
  not_domain: t`Enter a domain, such as example.com`,
  public_domain: t`Enter your own domain. Anybody can get an address of a public email service`,
  not_time_zone: t`Choose a time zone`,
  not_language_tag: t`Choose one of the options`,
  not_weekdays: t`Choose at least one day`,
  not_future: t`Choose a date in the future`,
  not_after_from: t`Choose an end after the start`,
  period_too_long: ({ days }) => t`Choose at most ${days} days`,
  too_long_ago: ({ days }) => t`Choose a time within the last ${days} days`,
  no_change: requested,
  not_applicable: unfittingText,
  only_for_mapped: unfittingText,
  not_percentage: t`Enter a percentage from 1 to 100`,

  not_web_address: t`Enter a web address, such as https://example.com/events`,
  address_with_user: t`Remove the user name and password from the address`,
  not_https: t`Enter an address that begins with https://`,
  not_public_address: t`Enter an address on the public internet`,

  topic_begins_with_dollar: t`A topic can’t begin with $`,
  topic_of_other_reader: t`Topics below readers/ are reserved for the reader of that name`,
  topic_too_deep: ({ max }) => t`Use at most ${max} levels`,
  plus_within_level: t`Use + only as a whole level, as in site/+/reads`,
  hash_not_last: t`Use # only as the last level, as in site/#`,
  port_named_twice: t`Each port can be listed only once`,
  not_expression: ({ flaw }) => t`Use keys joined by periods, such as tag.id, or JMESPath: ${flaw}`,
  no_readable_tag: t`This asset has no RFID or BLE tag`,
  no_tag: t`This asset has no tag`,

  not_image: t`Choose a PNG, JPEG or WebP image.`,
  image_animated: t`Choose an image that is not animated`,
  image_damaged: t`This image file is damaged. Open it in a photo app, save it as a new file, and choose that one`,
  image_too_slow: t`This image takes too long to read. Save it smaller as a new file, and choose that one`,
  too_many_pixels: ({ millions: pixels }) => t`Choose an image of at most ${pixels} million pixels`,
  image_not_new: missing,
  not_below: missing,
};

/** Returns the text of a reason. Without one, only a program can have made the mistake. */
export function fieldReasonText(reason: FieldReason | undefined, field: string): string {
  if (reason === undefined) return unfittingText;
  // A tab of the previous release may not know the reason.
  const text = (texts[reason.name] as string | ((params: unknown, field: string) => string) | undefined) ?? generalText;
  return typeof text === 'string' ? text : text(reason.params, field);
}
