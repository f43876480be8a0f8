import { expect, it } from 'vitest';
import { createRejectionBudget } from '../../../server/scans/rejection-budget.js';

it('keeps a reader’s first rejections of a minute whole, the next shortened, and no more', () => {
  let nowMs = 0;
  const budgeted = createRejectionBudget(() => nowMs);
  const rejected = { kind: 'rejected', reason: 'r', payload: new Uint8Array(5000) } as const;
  const bytes = (readerId: number) => {
    const content = budgeted(readerId, rejected);
    return content.kind === 'rejected' ? content.payload.length : content.kind;
  };
  const minute = Array.from({ length: 1002 }, () => bytes(1));
  expect([minute[0], minute[99], minute[100], minute[999], minute[1000], minute[1001]]).toEqual([
    5000,
    5000,
    1024,
    1024,
    'status',
    'status',
  ]);
  expect(bytes(2)).toBe(5000);
  nowMs = 60_000;
  expect(bytes(1)).toBe(5000);
});
