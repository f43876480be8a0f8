/** Every `fields[].code` the server can send (contract 7.3). */
export const fieldErrorCodes = [
  'required',
  'invalid_value',
  'unknown_field',
  'invalid_context',
  'too_short',
  'too_long',
  'too_small',
  'too_large',
  'fk_not_found',
  'ambiguous_fields',
  'read_only',
] as const;

export type FieldErrorCode = (typeof fieldErrorCodes)[number];

/** What a text has to be, beside its pattern; also the description of the field. */
export type PatternWords =
  | 'letters, digits and hyphens only'
  | 'no control characters, no white space at the ends'
  | 'no control characters other than tab, LF and CR'
  | 'no control characters'
  | 'a time of day such as 08:30'
  | 'a key in base64url'
  | 'a query of an address'
  | 'the cursor of an undo'
  | 'the cursor of a page'
  | 'the id of a change'
  | 'user: or key: and an id'
  | 'an id'
  | 'a UUID';

/** What somebody else can have changed since it was read. */
type Changeable = 'rule' | 'endpoint';

const minimum = ({ min }: { min: number }) => ({ min });
const minLength = ({ min }: { min: number }) => ({ min_length: min });
const maxLength = ({ max }: { max: number }) => ({ max_length: max });
const notFound = ({ value }: { value: string | number }) => `{f} ${value} not found`;

/**
 * The reasons for which the service refuses a field: the code of the contract, a sentence for programmers in which `{f}`
 * stands for the field's name, and the parameters of the contract, if it has any. The app has a text for each of these
 * names and does not compile without it; it never reads the sentences.
 */
export const fieldReasons = {
  required: ['required', '{f} is required'],
  no_null: ['invalid_value', ({ instead }: { instead: string }) => `{f} cannot be null; ${instead}`],
  wrong_type: [
    'invalid_value',
    ({ expected, received }: { expected: string; received: string }) => `{f} must be ${expected}; received ${received}`,
    ({ expected, received }: { expected: string; received: string }) => ({
      expected_type: expected,
      received_type: received,
    }),
  ],
  not_one_of: [
    'invalid_value',
    ({ allowed }: { allowed: readonly string[] }) => `{f} must be one of: ${allowed.join(', ')}`,
    ({ allowed }: { allowed: readonly string[] }) => ({ allowed_values: [...allowed] }),
  ],
  not_some_of: [
    'invalid_value',
    ({ allowed }: { allowed: readonly string[] }) => `{f} must be some of: ${allowed.join(', ')}`,
    ({ allowed }: { allowed: readonly string[] }) => ({ allowed_values: [...allowed] }),
  ],
  not_integer: ['invalid_value', '{f} must be an integer'],
  too_small: ['too_small', ({ min }: { min: number }) => `{f} must be >= ${min}`, minimum],
  too_large: [
    'too_large',
    ({ max }: { max: number }) => `{f} must be <= ${max}`,
    ({ max }: { max: number }) => ({ max }),
  ],
  text_too_short: ['too_short', ({ min }: { min: number }) => `{f} must be at least ${min} character(s)`, minLength],
  text_too_long: ['too_long', ({ max }: { max: number }) => `{f} must be at most ${max} characters`, maxLength],
  pattern: [
    'invalid_value',
    ({ pattern, words }: { pattern: string; words?: PatternWords | undefined }) =>
      `{f} must match ${pattern}${words === undefined ? '' : `: ${words}`}`,
    ({ pattern }: { pattern: string }) => ({ pattern }),
  ],
  not_ulid: [
    'invalid_value',
    (_params: { pattern: string }) => '{f} must be a ULID',
    ({ pattern }: { pattern: string }) => ({ pattern }),
  ],
  not_storable: ['invalid_value', '{f} contains a character that cannot be stored'],
  too_few_items: ['too_short', ({ min }: { min: number }) => `{f} must contain at least ${min} item(s)`, minLength],
  too_many_items: ['too_long', ({ max }: { max: number }) => `{f} must contain at most ${max} items`, maxLength],
  not_timestamp: ['invalid_value', '{f} must be an RFC 3339 timestamp'],
  default_timestamp: [
    'invalid_value',
    ({ text }: { text: string }) =>
      `{f} must not be a default-value sentinel (${text}); omit the field or send a real timestamp`,
  ],
  inexact_integer: ['invalid_value', '{f} contains an integer that cannot be stored exactly; send it as a string'],
  nested_too_deeply: ['invalid_value', '{f} is nested too deeply'],
  details_too_long: ['too_long', ({ max }: { max: number }) => `{f} must be at most ${max} bytes of JSON`, maxLength],
  details_together_too_long: ['too_large', 'the custom details of these assets are too long for one change'],
  not_found: ['fk_not_found', notFound],
  changed_since: [
    'read_only',
    ({ what }: { what: Changeable }) => `{f} is not that of the ${what}, which was changed since`,
  ],

  // Of parameters and fields that only programs send wrongly.
  repeated: ['invalid_value', '{f} must be supplied at most once'],
  not_boolean: ['invalid_value', "{f} must be 'true' or 'false'"],
  empty_item: ['invalid_value', '{f} must not contain an empty item'],
  unknown_sort: ['invalid_value', ({ name }: { name: string }) => `unknown sort field: ${name}`],
  repeated_sort: ['invalid_value', ({ name }: { name: string }) => `{f} must not name a field twice: ${name}`],
  no_sort: ['invalid_value', 'sort parameter not supported on this endpoint'],
  mutually_exclusive: [
    'ambiguous_fields',
    ({ one, other }: { one: string; other: string }) =>
      `${one} and ${other} are mutually exclusive; supply exactly one`,
  ],
  location_read_only: [
    'read_only',
    '{f} is read-only: location is collected through scan ingestion and is not directly settable',
  ],
  not_app_path: ['invalid_value', '{f} must be a path of the app'],
  wrong_ids: ['invalid_value', ({ max }: { max: number }) => `{f} must be 1 to ${max} ids`],
  wrong_points: [
    'invalid_value',
    ({ min, max }: { min: number; max: number }) => `{f} must be one point, or ${min} to ${max}`,
  ],
  points_outside: ['invalid_value', '{f} must be pairs of numbers from 0 to 1'],

  not_email: ['invalid_value', '{f} must be an email address'],
  address_not_invited: [
    'invalid_value',
    ({ email }: { email: string }) => `{f} must be the address that was invited, ${email}`,
  ],
  wrong_password: ['invalid_value', '{f} is not your password'],
  not_domain: ['invalid_value', '{f} must be a domain, such as example.com'],
  public_domain: ['invalid_value', '{f} belongs to a public email service, where anybody can get an address'],
  not_time_zone: ['invalid_value', '{f} must be an IANA time zone'],
  not_language_tag: ['invalid_value', '{f} must be a language tag, such as en-US'],
  not_weekdays: ['invalid_value', '{f} must be days from 1 (Monday) to 7 (Sunday)'],
  not_future: ['invalid_value', '{f} must be in the future'],
  not_after_from: ['invalid_value', '{f} must be after from'],
  period_too_long: ['invalid_value', ({ days }: { days: number }) => `{f} must be at most ${days} days after from`],
  too_long_ago: ['invalid_value', ({ days }: { days: number }) => `{f} must be within the last ${days} days`],
  no_change: ['required', 'at least one change is required'],
  not_applicable: ['invalid_context', ({ type }: { type: string }) => `{f} does not apply to ${type}`],
  only_for_mapped: ['invalid_context', '{f} is only for readers of the format mapped'],
  not_percentage: ['invalid_value', '{f} must be a percentage from 1 to 100'],

  not_web_address: ['invalid_value', '{f} must be a web address, such as https://example.com/events'],
  address_with_user: ['invalid_value', '{f} must not contain a user or a password'],
  not_https: ['invalid_value', '{f} must be an address that begins with https://'],
  not_public_address: ['invalid_value', '{f} must be an address of the public Internet'],

  topic_begins_with_dollar: ['invalid_value', '{f} must not begin with $'],
  topic_of_other_reader: [
    'invalid_value',
    ({ prefix, username }: { prefix: string; username: string }) =>
      `{f} must not begin with ${prefix} unless ${username}/ follows`,
  ],
  topic_too_deep: ['invalid_value', ({ max }: { max: number }) => `{f} must have at most ${max} levels`],
  plus_within_level: ['invalid_value', '{f} may have + only as a whole level'],
  hash_not_last: ['invalid_value', '{f} may have # only as the whole last level'],
  port_named_twice: ['invalid_value', ({ port }: { port: number }) => `{f} ${port} is named twice`],
  not_expression: [
    'invalid_value',
    ({ flaw }: { flaw: string }) => `{f} must be keys joined by dots or JMESPath: ${flaw}`,
  ],
  no_readable_tag: ['invalid_value', 'This asset has no RFID or BLE tag'],
  no_tag: ['invalid_value', 'This asset has no tag'],

  not_image: ['invalid_value', '{f} must be a PNG, JPEG or WebP file'],
  image_animated: ['invalid_value', '{f} must not be animated'],
  image_damaged: ['invalid_value', '{f} is damaged and cannot be read'],
  image_too_slow: ['invalid_value', '{f} takes too long to decode'],
  too_many_pixels: [
    'invalid_value',
    ({ millions }: { millions: number }) => `{f} must have at most ${millions} million pixels`,
  ],
  image_not_new: ['fk_not_found', '{f} does not name an image that was just uploaded'],
  not_below: ['fk_not_found', ({ value }: { value: number }) => `{f} ${value} is not below this location`],
} as const satisfies Record<
  string,
  readonly [
    code: FieldErrorCode,
    message: string | ((params: never) => string),
    shown?: (params: never) => Record<string, unknown>,
  ]
>;

export type FieldReasonName = keyof typeof fieldReasons;

type Message<Name extends FieldReasonName> = (typeof fieldReasons)[Name][1];

/** What the text of a reason is about; nothing for most. */
export type FieldReasonParams<Name extends FieldReasonName> =
  Message<Name> extends (params: infer Params) => string ? Params : undefined;

export type PlainFieldReason = {
  [Name in FieldReasonName]: FieldReasonParams<Name> extends undefined ? Name : never;
}[FieldReasonName];

/** A reason with what its text is about, as it is sent to the app. */
export type FieldReason = {
  [Name in FieldReasonName]: FieldReasonParams<Name> extends undefined
    ? { name: Name; params?: undefined }
    : { name: Name; params: FieldReasonParams<Name> };
}[FieldReasonName];

/** Why a field is refused; `{f}` in the message stands for its name. */
export type FieldFault = {
  code: FieldErrorCode;
  message: string;
  params?: Record<string, unknown>;
  reason: FieldReason;
};

export function fieldFault(name: PlainFieldReason): FieldFault;
export function fieldFault<Name extends FieldReasonName>(name: Name, params: FieldReasonParams<Name>): FieldFault;
/** Returns code, message and parameters of a reason. */
export function fieldFault(name: FieldReasonName, given?: unknown): FieldFault {
  const [code, message, shown]: readonly [
    FieldErrorCode,
    string | ((params: never) => string),
    ((params: never) => Record<string, unknown>)?,
  ] = fieldReasons[name];
  return {
    code,
    message: typeof message === 'string' ? message : message(given as never),
    ...(shown && { params: shown(given as never) }),
    reason: (given === undefined ? { name } : { name, params: given }) as FieldReason,
  };
}
