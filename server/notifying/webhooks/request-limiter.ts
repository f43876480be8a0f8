import { createOwnerCounts } from '../../kernel/owner-counts.js';
import { endpointsMax } from './schemas.js';

/** Concurrent requests of this process, to all endpoints. */
const perProcessMax = 1024;
/** Concurrent requests to all endpoints of one organization. */
export const requestsPerOrganizationMax = 32;
/**
 * Requests to one endpoint that are admitted even if its organization has used up its limit, so that other endpoints
 * cannot delay it.
 */
const perEndpointMin = 2;
/**
 * The most requests of one organization, including the two for each endpoint. A request to a deleted endpoint counts
 * until it ends, so replacing endpoints does not allow more requests.
 */
const perOrganizationMax = requestsPerOrganizationMax + endpointsMax * perEndpointMin;

/** Limits concurrent requests, so that the endpoints of one organization cannot take all sockets of the process. */
export type RequestLimiter = {
  /** Admits up to `wanted` requests to an endpoint that already has `underWay`, and returns how many. */
  take(orgId: number, request: { wanted: number; underWay: number }): number;
  release(orgId: number, count: number): void;
  hasFree(orgId: number): boolean;
  underWay(): number;
};

export function createRequestLimiter(): RequestLimiter {
  const requests = createOwnerCounts<number>();
  const freeOf = (orgId: number) => requestsPerOrganizationMax - requests.of(orgId);

  return {
    take(orgId, { wanted, underWay }) {
      const reserved = Math.min(perEndpointMin - underWay, perOrganizationMax - requests.of(orgId));
      const allowed = Math.max(freeOf(orgId), reserved);
      const taken = Math.max(0, Math.min(wanted, allowed, perProcessMax - requests.total()));
      requests.add(orgId, taken);
      return taken;
    },
    release: (orgId, count) => void requests.add(orgId, -count),
    hasFree: (orgId) => freeOf(orgId) > 0 && requests.total() < perProcessMax,
    underWay: requests.total,
  };
}
