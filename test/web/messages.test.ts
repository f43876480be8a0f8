import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAssetInput } from '../../server/things/assets/schemas.js';
import {
  ContractError,
  type FieldError,
  fieldError,
  rateLimited,
  refusal,
  serviceUnavailable,
} from '../../server/kernel/errors.js';
import { createReaderInput } from '../../server/tracking/readers/schemas.js';
import { emailField, newPasswordField } from '../../server/people/session/fields.js';
import { fieldErrorsOf } from '../../server/kernel/validation/input-failure.js';
import { fieldReasonText } from '../../web/api/field-reason-texts.js';
import { conflictText, problemText } from '../../web/api/messages.js';
import { trimmed } from '../../web/api/trim-link.js';

/** What the service's own schema says of an input, as a person would read it. */
function texts(schema: z.ZodType, input: unknown): Record<string, string> {
  const { error } = schema.safeParse(input);
  return Object.fromEntries(
    fieldErrorsOf(error?.issues ?? []).fields.map(({ field, reason }) => [field, fieldReasonText(reason, field)]),
  );
}

test('what the service rejects of an asset is said in words of the form', () => {
  expect(texts(createAssetInput, { name: '', external_key: 'a key', valid_from: 'tomorrow' })).toEqual({
    name: 'Enter a name',
    external_key: 'Use letters, digits and hyphens only',
    valid_from: 'Enter a valid date and time',
  });
  expect(texts(createAssetInput, { name: 'a\nb', description: 'a\u0001b' })).toEqual({
    name: 'Remove the line breaks or control characters',
    description: 'Remove the control characters',
  });
  expect(texts(createAssetInput, { name: 'x'.repeat(256) })).toEqual({ name: 'Use at most 255 characters' });
  expect(texts(createAssetInput, {})).toEqual({ name: 'Enter a name' });
});

test('what the service rejects of accounts and readers is said in words of the form', () => {
  const account = z.strictObject({ email: emailField, new_password: newPasswordField });
  expect(texts(account, { email: 'ada', new_password: 'short' })).toEqual({
    email: 'Enter a valid email address',
    new_password: 'Use at least 8 characters',
  });
  expect(
    texts(createReaderInput, { name: 'Gate', resolution_seconds: -1, antennas: [{ port: '', kind: 'zone' }] }),
  ).toEqual({
    resolution_seconds: 'Enter at least 0',
    port: 'Enter a number',
  });
});

test.each<[FieldError, string]>([
  [fieldError('location_id', 'not_found', { value: 42 }), 'This location no longer exists'],
  [fieldError('scopes', 'too_few_items', { min: 1 }), 'Choose at least one'],
  [fieldError('asset_id', 'required'), 'Choose an asset'],
  [fieldError('current_password', 'wrong_password'), 'This password is incorrect'],
  [fieldError('asset_id', 'no_readable_tag'), 'This asset has no RFID or BLE tag'],
  [fieldError('ids', 'details_together_too_long'), 'The custom details of these assets are too long for one change'],
  [{ field: 'some_thing', code: 'invalid_value', message: 'some_thing must be ^x$' }, 'This can’t be saved here'],
])('of %j the person reads %s', ({ field, reason }, text) => {
  expect(fieldReasonText(reason, field)).toBe(text);
});

const shown = (error: ContractError) => ({ type: error.type, ...(error.reason && { reason: error.reason }) });

test('a conflict is shown at the field that it concerns', () => {
  expect(conflictText(shown(refusal('key_taken', { kind: 'asset', key: 'PUMP-1' })))).toEqual({
    field: 'external_key',
    message: 'This key is already in use',
  });
  expect(conflictText(shown(refusal('tag_taken', { type: 'rfid', value: 'E28' })))).toEqual({
    field: 'value',
    message: 'Tag E28 is already attached to another asset or location',
  });
  expect(conflictText(shown(refusal('import_canceled')))).toBeUndefined();
});

test.each<[ContractError, string]>([
  [
    refusal('location_in_descendant', { parentId: 44, locationId: 42 }),
    'Aisle A can’t be moved into its own sublocation',
  ],
  [
    refusal('limit_reached', { max: 2000, what: 'readers' }),
    'Your organization has reached its limit of 2,000 readers.',
  ],
  [refusal('role_missing', { role: 'admin' }), 'You need the administrator role for this.'],
  [rateLimited(4.2), 'Try again in 5 seconds.'],
  [serviceUnavailable('The service is too busy', 1), 'Try again in 1 second.'],
  [refusal('not_found', { what: 'Asset' }), 'Asset not found'],
  [
    refusal('too_many_created', { what: 'open invitations' }),
    'Too many invitations were created recently. Try again later.',
  ],
  [
    new ContractError('bad_request', 'object_id needs a kind'),
    'Try again. If it happens again, contact your administrator.',
  ],
])('%s is shown as %s', (error, text) => {
  expect(problemText(shown(error), 'Aisle A').detail).toBe(text);
});

test('texts are trimmed before they are sent, and nothing else is changed', () => {
  const input = {
    name: ' Pump ',
    password: ' a b ',
    tags: [{ tag_type: 'rfid', value: ' \u202AE28\u202C ' }],
    metadata: { name: ' x ' },
  };
  expect(trimmed(input)).toEqual({
    name: 'Pump',
    password: ' a b ',
    tags: [{ tag_type: 'rfid', value: 'E28' }],
    metadata: { name: ' x ' },
  });
});
