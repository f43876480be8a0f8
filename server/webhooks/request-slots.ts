/**
 * Requests of this process that may be under way at once, to all endpoints and to those of one organization. Two to each
 * endpoint do not count: endpoints that hold all others do not delay it.
 */
const perProcessMax = 1024;
const perEndpointMin = 2;
export const requestsPerOrganizationMax = 32;

/** Counts the requests under way, so that the endpoints of one organization cannot take all sockets of the process. */
export type RequestSlots = {
  /** Takes up to `wanted` slots for an endpoint with so many requests under way, and returns how many it took. */
  take(orgId: number, request: { wanted: number; underWay: number }): number;
  release(orgId: number, count: number): void;
  hasFree(orgId: number): boolean;
  underWay(): number;
};

export function createRequestSlots(): RequestSlots {
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
