/**
 * Concurrent requests of this process, to all endpoints and to those of one organization. The first two of each
 * endpoint do not count, so endpoints that use up the rest do not delay others.
 */
const perProcessMax = 1024;
const perEndpointMin = 2;
export const requestsPerOrganizationMax = 32;

/** Limits concurrent requests, so that the endpoints of one organization cannot take all sockets of the process. */
export type RequestLimiter = {
  /** Admits up to `wanted` requests of an endpoint that has `underWay` already, and returns how many. */
  take(orgId: number, request: { wanted: number; underWay: number }): number;
  release(orgId: number, count: number): void;
  hasFree(orgId: number): boolean;
  underWay(): number;
};

export function createRequestLimiter(): RequestLimiter {
  const byOrg = new Map<number, number>();
  let all = 0;
  const freeOf = (orgId: number) => requestsPerOrganizationMax - (byOrg.get(orgId) ?? 0);

  function add(orgId: number, count: number): void {
    all += count;
    const own = (byOrg.get(orgId) ?? 0) + count;
    if (own > 0) byOrg.set(orgId, own);
    else byOrg.delete(orgId);
  }

  return {
    take(orgId, { wanted, underWay }) {
      const allowed = Math.max(freeOf(orgId), perEndpointMin - underWay);
      const taken = Math.max(0, Math.min(wanted, allowed, perProcessMax - all));
      if (taken > 0) add(orgId, taken);
      return taken;
    },
    release(orgId, count) {
      if (count > 0) add(orgId, -count);
    },
    hasFree: (orgId) => freeOf(orgId) > 0 && all < perProcessMax,
    underWay: () => all,
  };
}
