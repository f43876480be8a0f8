import { type Actor, networksOf } from '../server/index.js';
import type { Budget, RateLimiter } from './rate-limit.js';

/** All keys of an organization together have this many times the budget of one key. */
export const organizationKeyBudgets = 10;

/** Returns the key of the caller's budget: of the API key, of the user, else of the client's address. */
function budgetKeyOf(actor: Actor, clientAddress: string): string {
  if (actor.kind === 'key') return `key:${actor.keyId}`;
  return actor.kind === 'session' ? `user:${actor.userId}` : addressBudgetKey(clientAddress);
}

/** Returns the key of an address's budget; the addresses of an IPv6 /64 share one. */
export function addressBudgetKey(clientAddress: string): string {
  return `address:${networksOf(clientAddress)[0]}`;
}

/** Counts the requests of callers with and without a credential. */
export type CallerLimiter = RateLimiter & {
  /** Counts requests of a caller. Requests of an API key also count against the budget of its organization. */
  takeFor(caller: { actor: Actor; clientAddress: string }, count?: number): Budget | Promise<Budget>;
};

/**
 * Adds the budgets of organizations to a rate limiter, so that an organization gains nothing from creating more keys.
 *
 * @param organizations has `organizationKeyBudgets` times the requests of `limiter`
 */
export function createCallerLimiter(limiter: RateLimiter, organizations: RateLimiter): CallerLimiter {
  return {
    take: limiter.take,
    takeFor({ actor, clientAddress }, count) {
      const own = limiter.take(budgetKeyOf(actor, clientAddress), count);
      if (actor.kind !== 'key' || actor.orgId === null) return own;
      const key = `organization:${actor.orgId}`;
      // A request that exceeds the key's own budget is not counted against the organization's.
      const both = (budget: Budget) => {
        if (budget.retryAfterSeconds !== undefined) return budget;
        const common = organizations.take(key, count);
        const stricter = (each: Budget) => (each.retryAfterSeconds === undefined ? budget : each);
        return common instanceof Promise ? common.then(stricter) : stricter(common);
      };
      return own instanceof Promise ? own.then(both) : both(own);
    },
  };
}
