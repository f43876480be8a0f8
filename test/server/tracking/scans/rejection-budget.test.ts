import { expect, it } from 'vitest';
import { createRejectionBudget } from '../../../../server/tracking/scans/rejection-budget.js';

const rejected = { kind: 'rejected', reason: 'r', payload: new Uint8Array(5000) } as const;

/** Returns how many bytes are kept of a rejected message, or as what it counts. */
function createBudget(now: () => number) {
  const budgeted = createRejectionBudget(now);
  return (orgId: number, readerId: number) => {
    const content = budgeted({ orgId, readerId, content: rejected });
    return content.kind === 'rejected' ? content.payload.length : content.kind;
  };
}

it('keeps a reader’s first rejections of a minute whole, the next shortened, and no more', () => {
  let nowMs = 0;
  const bytes = createBudget(() => nowMs);
  const minute = Array.from({ length: 1002 }, () => bytes(1, 1));
  expect([minute[0], minute[99], minute[100], minute[999], minute[1000], minute[1001]]).toEqual([
    5000,
    5000,
    1024,
    1024,
    'status',
    'status',
  ]);
  expect(bytes(1, 2)).toBe(5000);
  nowMs = 60_000;
  expect(bytes(1, 1)).toBe(5000);
});

it('does the same for all readers of an organization together', () => {
  const bytes = createBudget(() => 0);
  const minute = Array.from({ length: 2002 }, (_, index) => bytes(1, index % 40));
  expect([minute[199], minute[200], minute[1999], minute[2000]]).toEqual([5000, 1024, 1024, 'status']);
  expect(bytes(1, 41)).toBe('status');
  expect(bytes(2, 50)).toBe(5000);
});
