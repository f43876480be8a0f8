import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readSettings, type SettingsError } from '../../server/kernel/settings.js';

const seen =
  readFileSync(new URL('inputs/base-url-with-path.txt', import.meta.url), 'utf8')
    .trim()
    .split('=')[1] ?? '';

test.each([
  seen,
  'https://example.com/apps/whereabouts/',
  'https://example.com/?tenant=1',
  'https://example.com/#/whereabouts',
  'https://example.com:8443/whereabouts//',
])('a start with BASE_URL=%s is refused, and says what to do', (address) => {
  let mistakes: readonly string[] = [];
  try {
    readSettings({ BASE_URL: address });
  } catch (error) {
    mistakes = (error as SettingsError).lines;
  }
  expect(mistakes).toEqual([
    'BASE_URL must end with the host or the port: the app needs a host of its own, such as https://whereabouts.example.com, and works below no path',
  ]);
});

test.each(['https://example.com', 'https://example.com/', 'http://localhost:4212//'])(
  'BASE_URL=%s is accepted',
  (address) => {
    expect(readSettings({ BASE_URL: address }).baseUrl).toBe(address.replace(/\/+$/, ''));
  },
);
