import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createAssetInput } from '../../server/assets/schemas.js';
import { type ContractError, type ErrorType, type FieldError, errorTable } from '../../server/errors.js';
import { createReaderInput } from '../../server/readers/schemas.js';
import { emailField, newPasswordField } from '../../server/session/fields.js';
import { fieldErrorsOf } from '../../server/validation/input-failure.js';
import { detailText } from '../../web/api/detail-texts.js';
import { conflictText, fieldText, problemText } from '../../web/api/messages.js';
import { trimmed } from '../../web/api/trim-link.js';

const server = path.resolve(import.meta.dirname, '../../server');

/** What the service's own schema says of an input, as a person would read it. */
function texts(schema: z.ZodType, input: unknown): Record<string, string> {
  const { error } = schema.safeParse(input);
  return Object.fromEntries(fieldErrorsOf(error?.issues ?? []).fields.map((entry) => [entry.field, fieldText(entry)]));
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
  [
    { field: 'location_id', code: 'fk_not_found', message: 'location_id 42 not found' },
    'This location no longer exists',
  ],
  [
    {
      field: 'scopes',
      code: 'too_short',
      message: 'scopes must contain at least 1 item(s)',
      params: { min_length: 1 },
    },
    'Choose at least one',
  ],
  [{ field: 'asset_id', code: 'required', message: 'asset_id is required' }, 'Choose an asset'],
  [
    { field: 'current_password', code: 'invalid_value', message: 'current_password is not your password' },
    'This password is incorrect',
  ],
  [
    { field: 'asset_id', code: 'invalid_value', message: 'This asset has no RFID or BLE tag' },
    'This asset has no RFID or BLE tag',
  ],
  [{ field: 'some_thing', code: 'invalid_value', message: 'some_thing must be ^x$' }, 'Check this value'],
])('of %j the person reads %s', (report, text) => {
  expect(fieldText(report)).toBe(text);
});

const error = (type: ErrorType, detail: string) => ({ type, title: errorTable[type].title, detail });

test('a conflict is shown at the field that it concerns', () => {
  expect(conflictText(error('conflict', 'asset with external_key PUMP-1 already exists'))).toEqual({
    field: 'external_key',
    message: 'This key is already in use',
  });
  expect(conflictText(error('conflict', 'tag rfid:E28 already exists'))).toEqual({
    field: 'value',
    message: 'Tag E28 is already attached to another asset or location',
  });
  expect(conflictText(error('conflict', 'This import was canceled'))).toBeUndefined();
});

test.each<[ContractError['type'], string, string]>([
  [
    'conflict',
    'parent_id 44 would create a cycle through location 42',
    'Aisle A can’t be moved into its own sublocation',
  ],
  [
    'conflict',
    'An organization can have 100 API keys at most',
    'Your organization has reached its limit of 100 API keys.',
  ],
  ['forbidden', 'Missing required role: admin', 'You need the administrator role for this.'],
  ['rate_limited', 'Retry after 5 seconds', 'Try again in 5 seconds.'],
  ['service_unavailable', 'The service is too busy; retry after 1 second', 'Try again in 1 second.'],
  ['not_found', 'Asset not found', 'Asset not found'],
  [
    'conflict',
    'An organization can have 2000 readers at most',
    'Your organization has reached its limit of 2,000 readers.',
  ],
  [
    'conflict',
    'an organization can have 100 rules at most',
    'Your organization has reached its limit of 100 alert rules.',
  ],
  ['conflict', 'An organization can have 9 things at most', 'Your organization has reached its limit of 9.'],
  [
    'conflict',
    'Too many open invitations of this organization were created and removed',
    'Too many invitations were created recently. Try again later.',
  ],
  ['bad_request', 'object_id needs a kind', 'Try again. If it happens again, contact your administrator.'],
])('the detail of %s, %s, is shown as %s', (type, detail, text) => {
  expect(problemText(error(type, detail), 'Aisle A').detail).toBe(text);
});

/** Sentences that only integrators and operators get, or that the app replaces by its own. */
const notForPeople = [
  'API key authentication required',
  'API key has been revoked',
  'API key has expired',
  'An active organization context is required',
  'Missing authorization header',
  'The call was made, but its answer is too large',
  'object_id needs a kind',
  '7; close one or come back later',
];

test('the app has a text of its own for each sentence that the service rejects with', async () => {
  const sentences = new Set<string>();
  for (const name of await readdir(server, { recursive: true })) {
    if (!name.endsWith('.ts')) continue;
    const source = await readFile(path.join(server, name), 'utf8');
    const found = source.matchAll(/new ContractError\(\s*'(\w+)',\s*(['`])((?:(?!\2).)+)\2/g);
    for (const [, , , words = ''] of found) sentences.add(words.replaceAll(/\$\{[^}]*\}/g, '7'));
  }
  expect(sentences.size).toBeGreaterThan(50);
  const technical = /^(?:asset|location|tag|user|parent_id|Chunk|7) /;
  const untold = [...sentences].filter(
    (words) => !technical.test(words) && !notForPeople.includes(words) && detailText(words) === undefined,
  );
  expect(untold).toEqual([]);
});

test('texts are trimmed before they are sent, and nothing else is changed', () => {
  const input = {
    name: ' Pump ',
    password: ' a b ',
    tags: [{ tag_type: 'rfid', value: ' E28 ' }],
    metadata: { name: ' x ' },
  };
  expect(trimmed(input)).toEqual({
    name: 'Pump',
    password: ' a b ',
    tags: [{ tag_type: 'rfid', value: 'E28' }],
    metadata: { name: ' x ' },
  });
});
