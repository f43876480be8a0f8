import { expect, test } from 'vitest';
import { createRequestLimiter } from '../../../../server/notifying/webhooks/request-limiter.js';

/** Takes requests for new endpoints of an organization; each endpoint asks for eight. */
function takeForEndpoints(
  count: number,
  { limiter, orgId }: { limiter: ReturnType<typeof createRequestLimiter>; orgId: number },
) {
  return Array.from({ length: count }, () => limiter.take(orgId, { wanted: 8, underWay: 0 }));
}

test('ten endpoints share 32 requests of their organization, beside two to each', () => {
  const limiter = createRequestLimiter();
  expect(takeForEndpoints(10, { limiter, orgId: 1 })).toEqual([8, 8, 8, 8, 2, 2, 2, 2, 2, 2]);
});

test('endpoints that replace deleted ones get no requests beyond the limit of their organization, until requests end', () => {
  const limiter = createRequestLimiter();
  takeForEndpoints(1000, { limiter, orgId: 1 });
  expect(limiter.underWay()).toBe(52);
  expect(takeForEndpoints(2, { limiter, orgId: 2 })).toEqual([8, 8]);
  limiter.release(1, 21);
  expect(limiter.hasFree(1)).toBe(true);
  expect(takeForEndpoints(2, { limiter, orgId: 1 })).toEqual([2, 2]);
});
