import { expect, it } from 'vitest';
import { createHeartbeats } from '../../../../server/tracking/scans/heartbeats.js';

it('notes a reader once a second', () => {
  const heartbeats = createHeartbeats();
  expect(heartbeats.isDue(1, 5000)).toBe(true);
  heartbeats.stored([{ readerId: 1, atMs: 5000 }]);
  expect(heartbeats.isDue(1, 6000)).toBe(false);
  expect(heartbeats.isDue(1, 6001)).toBe(true);
  expect(heartbeats.isDue(2, 5000)).toBe(true);
});

it('notes a reader again when the clock was put back', () => {
  const heartbeats = createHeartbeats();
  heartbeats.stored([{ readerId: 1, atMs: 3_600_000 }]);
  expect(heartbeats.isDue(1, 1000)).toBe(true);
});

it('still knows the heartbeats of the last second when it forgets the others', () => {
  const heartbeats = createHeartbeats();
  heartbeats.stored(Array.from({ length: 1000 }, (_, index) => ({ readerId: index, atMs: 1000 })));
  heartbeats.stored([{ readerId: 2000, atMs: 2500 }]);
  expect(heartbeats.isDue(2000, 2600)).toBe(false);
  expect(heartbeats.isDue(1, 1900)).toBe(true);
});
