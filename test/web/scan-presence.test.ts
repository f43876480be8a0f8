import { expect, test } from 'vitest';
import { afterHiding, afterShowing, mayHaveLeft } from '../../web/scanning/presence.js';

const minuteMs = 60_000;

test.each([
  [9.9, false],
  [10, true],
  [600, true],
])('%d minutes after the last scan, a person may have left: %s', (minutes, left) => {
  expect(mayHaveLeft(0, {}, minutes * minuteMs)).toBe(left);
});

test.each([
  [1.9, false],
  [2, true],
  [5, true],
])('after %d minutes in the background, a person may have left: %s', (minutes, left) => {
  const hidden = afterHiding({}, minuteMs);
  // A second tab is hidden later.
  const both = afterHiding(hidden, minuteMs + 1000);
  const shown = afterShowing(both, (1 + minutes) * minuteMs);
  expect(mayHaveLeft(minuteMs / 2, shown, (1 + minutes) * minuteMs + 1)).toBe(left);
  expect(shown).not.toHaveProperty('hiddenAtMs');
});

test('a scan after the return to the app settles where the person is', () => {
  const returned = afterShowing(afterHiding({}, 0), 3 * minuteMs);
  expect(mayHaveLeft(0, returned, 3 * minuteMs)).toBe(true);
  expect(mayHaveLeft(3 * minuteMs + 1, returned, 4 * minuteMs)).toBe(false);
  expect(afterShowing(afterHiding(returned, 4 * minuteMs), 5 * minuteMs)).toEqual(returned);
});
