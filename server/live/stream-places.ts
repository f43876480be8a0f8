import { ContractError } from '../errors.js';

/** Streams that one person and one organization may have open in one process. */
const perUserMax = 20;
const perOrganizationMax = 500;

/** When to come back: streams of closed windows are gone by then. */
const retryAfterSeconds = 30;

/** Who subscribes. */
export type Subscriber = { orgId: number; userId: number };

/** Counts the streams that are open, and lets nobody have too many. */
export type StreamPlaces = {
  /**
   * Takes a place; gives back the way to leave it.
   *
   * @throws ContractError `rate_limited`
   */
  take(subscriber: Subscriber): () => void;
  count(): number;
};

export function createStreamPlaces(): StreamPlaces {
  const taken = new Map<string, number>();
  let count = 0;

  function change(keys: readonly string[], by: 1 | -1): void {
    count += by;
    for (const key of keys) {
      const left = (taken.get(key) ?? 0) + by;
      if (left === 0) taken.delete(key);
      else taken.set(key, left);
    }
  }

  return {
    take({ orgId, userId }) {
      const user = `user ${userId}`;
      const organization = `organization ${orgId}`;
      if ((taken.get(user) ?? 0) >= perUserMax) throw refusal(`A person may have ${perUserMax} live streams open`);
      if ((taken.get(organization) ?? 0) >= perOrganizationMax) {
        throw refusal(`An organization may have ${perOrganizationMax} live streams open`);
      }
      change([user, organization], 1);
      return () => change([user, organization], -1);
    },
    count: () => count,
  };
}

function refusal(why: string): ContractError {
  return new ContractError('rate_limited', `${why}; close one or come back later`, { retryAfterSeconds });
}
