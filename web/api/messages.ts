import { t } from '@lingui/core/macro';
import type { ReasonName } from '../../server/kernel/reasons.js';
import type { ErrorData } from '../../server/trpc.js';
import { missingText, requestText } from './field-texts.js';
import { reasonText } from './reason-texts.js';

/** The service's error of one field: the contract's name of the field, a code, a technical message and its parameters. */
export type FieldReport = { field: string; code: string; message: string; params?: Record<string, unknown> };

/** A text for the person who fills in a form, and the contract's name of the field that it belongs to. */
export type FieldText = { field: string; message: string };

/** A characteristic part of each pattern of the contract, and what the person is to do. */
const patternTexts: readonly (readonly [RegExp, string])[] = [
  [/^\^\[A-Za-z0-9-\]\+\$$/, t`Use letters, digits and hyphens only`],
  [/\\S/, t`Remove the line breaks or control characters`],
  [/\\x00/, t`Remove the control characters`],
  [/^\^\[\^\.\]/, t`Use keys joined by periods, such as tag.id`],
  [/\[0-5\]/, t`Enter a time of day, such as 08:30`],
];

/** The rest of a technical message, after the field's name, and what the person is to do. */
const messageTexts: readonly (readonly [RegExp, string])[] = [
  [/e-?mail address$/, t`Enter a valid email address`],
  [/RFC 3339 timestamp$|default-value sentinel/, t`Enter a valid date and time`],
  [/must be an integer$/, t`Enter a whole number`],
  [/must be in the future$/, t`Choose a date in the future`],
  [/character that cannot be stored/, t`Remove the characters that can’t be stored`],
  [/integer that cannot be stored exactly/, t`A number is too large. Enter it as text, in quotation marks`],
  [/nested too deeply$/, t`This has too many levels`],
  [/must be a web address/, t`Enter a web address, such as https://example.com/events`],
  [/must not contain a user or a password/, t`Remove the user name and password from the address`],
  [/begins with https:\/\/$/, t`Enter an address that begins with https://`],
  [/public Internet$/, t`Enter an address on the public internet`],
  [/IANA time zone$/, t`Choose a time zone`],
  [/days from 1 \(Monday\)/, t`Choose at least one day`],
  [/must be a domain, such as/, t`Enter a domain, such as example.com`],
  [/belongs to a public email service/, t`Enter your own domain. Anybody can get an address of a public email service`],
  [/is not your password$/, t`This password is incorrect`],
  [/is named twice$/, t`Each port can be listed only once`],
  [/has no RFID or BLE tag$/, t`This asset has no RFID or BLE tag`],
  [/custom details of these assets are too long/, t`The custom details of these assets are too long for one change`],
  [/must be after from$/, t`Choose an end after the start`],
  [/must be a PNG, JPEG or WebP file$/, t`Choose a PNG, JPEG or WebP image.`],
  [/must not be animated$/, t`Choose an image that is not animated`],
  [
    /is damaged and cannot be read$/,
    t`This image file is damaged. Open it in a photo app, save it as a new file, and choose that one`,
  ],
  [/must not begin with \$/, t`A topic can’t begin with $`],
  [/must not begin with readers\//, t`Topics below readers/ are reserved for the reader of that name`],
  [/may have \+ only/, t`Use + only as a whole level, as in site/+/reads`],
  [/may have # only/, t`Use # only as the last level, as in site/#`],
];

/** Returns what a person is to do about a field that the service refused: one short sentence without technical names. */
export function fieldText(report: FieldReport): string {
  const { field, code, message, params = {} } = report;
  switch (code) {
    case 'required':
      return requestText(field);
    case 'too_short':
      return tooShort(field, message, params['min_length']);
    case 'too_long':
      if (message.endsWith('bytes of JSON')) return t`Shorten the custom details`;
      return /items?(?:\(s\))?$/.test(message)
        ? t`Choose at most ${String(params['max_length'])}`
        : t`Use at most ${String(params['max_length'])} characters`;
    case 'too_small':
      return t`Enter at least ${String(params['min'])}`;
    case 'too_large':
      return t`Enter at most ${String(params['max'])}`;
    case 'fk_not_found':
      return missingText(field);
    case 'invalid_value':
      return invalidValue(report);
    default:
      return plainOr(message, t`This can’t be saved here`);
  }
}

function invalidValue({ field, message, params = {} }: FieldReport): string {
  const pattern = params['pattern'];
  if (typeof pattern === 'string') {
    return patternTexts.find(([known]) => known.test(pattern))?.[1] ?? afterColon(message) ?? t`Check this text`;
  }
  if (/cannot be null/.test(message)) return requestText(field);
  if (params['allowed_values'] !== undefined) return t`Choose one of the options`;
  if (params['expected_type'] === 'number') return t`Enter a number`;
  if (params['expected_type'] !== undefined) return requestText(field);
  const known = messageTexts.find(([part]) => part.test(message));
  if (known) return known[1];
  const pixels = /must have at most (\d+) million pixels$/.exec(message)?.[1];
  if (pixels !== undefined) return t`Choose an image of at most ${pixels} million pixels`;
  const days = /must be within the last (\d+) days$/.exec(message)?.[1];
  if (days !== undefined) return t`Choose a time within the last ${days} days`;
  const invited = /^email must be the address that was invited, (.+)$/.exec(message)?.[1];
  if (invited !== undefined) return t`Use the address that was invited: ${invited}`;
  return plainOr(message, t`Check this value`);
}

function tooShort(field: string, message: string, min: unknown): string {
  if (message.endsWith('item(s)')) return min === 1 ? t`Choose at least one` : t`Choose at least ${String(min)}`;
  return min === 1 ? requestText(field) : t`Use at least ${String(min)} characters`;
}

/** Returns the text after the pattern in a pattern's message, as a sentence. */
function afterColon(message: string): string | undefined {
  const words = /: ([a-z][^\\^$]*)$/.exec(message)?.[1];
  return words && t`Use ${words}`;
}

/** Returns a sentence of the service unchanged, unless it contains a technical name, a pattern or an id. */
function plainOr(message: string, instead: string): string {
  const isTechnical = /[a-z]_[a-z]|[\\^$]|\{f\}|\d{4,}/.test(message) || message === '';
  return isTechnical ? instead : sentence(message);
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

type ErrorText = Pick<ErrorData, 'type' | 'reason'>;

const titles: Readonly<Record<ErrorData['type'], string>> = {
  validation_error: t`Check your input`,
  bad_request: t`This request could not be processed`,
  unauthorized: t`Sign-in failed`,
  forbidden: t`You don’t have permission`,
  not_found: t`Not found`,
  method_not_allowed: t`This is not possible`,
  conflict: t`This is not possible`,
  gone: t`No longer available`,
  payload_too_large: t`This is too large`,
  unsupported_media_type: t`This file type is not supported`,
  missing_org_context: t`Choose an organization first`,
  rate_limited: t`Too many requests`,
  service_unavailable: t`The server is busy`,
  internal_error: t`Something went wrong`,
};

/** The fields that conflicts concern. */
const conflictFields: Readonly<Partial<Record<ReasonName, string>>> = {
  key_taken: 'external_key',
  tag_taken: 'value',
  too_many_tags: 'value',
  email_taken: 'email',
};

/**
 * Returns the heading and the sentence to show for an error of the service.
 *
 * @param subject what the person is changing, such as the name of a location, for sentences that begin with it
 */
export function problemText({ type, reason }: ErrorText, subject?: string): { title: string; detail: string } {
  return { title: titles[type], detail: reasonText(reason, subject) };
}

/** Returns the field that a conflict concerns, with the text to show at the field; undefined if it concerns none. */
export function conflictText({ reason }: Pick<ErrorText, 'reason'>): FieldText | undefined {
  const field = reason && conflictFields[reason.name];
  return field === undefined ? undefined : { field, message: reasonText(reason) };
}
