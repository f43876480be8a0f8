/** Requests of this process that may be under way at once, to all endpoints and to those of one organization. */
const perProcessMax = 512;
export const requestsPerOrganizationMax = 32;

/** Counts the requests under way, so that the endpoints of one organization cannot take all sockets of the process. */
export type RequestSlots = {
  /** Takes up to `wanted` slots and returns how many it took. */
  take(orgId: number, wanted: number): number;
  release(orgId: number, count: number): void;
  hasFree(orgId: number): boolean;
  underWay(): number;
};

export function createRequestSlots(): RequestSlots {
  const byOrg = new Map<number, number>();
  let all = 0;
  const free = (orgId: number) => Math.min(perProcessMax - all, requestsPerOrganizationMax - (byOrg.get(orgId) ?? 0));

  function add(orgId: number, count: number): void {
    all += count;
    const own = (byOrg.get(orgId) ?? 0) + count;
    if (own > 0) byOrg.set(orgId, own);
    else byOrg.delete(orgId);
  }

  return {
    take(orgId, wanted) {
      const taken = Math.max(0, Math.min(wanted, free(orgId)));
      if (taken > 0) add(orgId, taken);
      return taken;
    },
    release(orgId, count) {
      if (count > 0) add(orgId, -count);
    },
    hasFree: (orgId) => free(orgId) > 0,
    underWay: () => all,
  };
}
