import { expect, test, vi } from 'vitest';
import { backoffMs } from '../../../server/kernel/backoff.js';

test('pauses double up to a limit, and each is shortened at random by up to half', () => {
  const bounds = { minMs: 100, maxMs: 1000 };
  const pauses = () => [0, 1, 2, 3, 4, 2000].map((failures) => backoffMs(failures, bounds));
  const random = vi.spyOn(Math, 'random');
  random.mockReturnValue(1);
  expect(pauses()).toEqual([100, 200, 400, 800, 1000, 1000]);
  random.mockReturnValue(0);
  expect(pauses()).toEqual([50, 100, 200, 400, 500, 500]);
  random.mockRestore();
});
