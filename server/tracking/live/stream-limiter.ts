import { ContractError } from '../../kernel/errors.js';

/** Streams that one user and one organization may have open in one process. */
const perUserMax = 20;
const perOrganizationMax = 500;

/** When the client may try again: streams of closed windows have ended by then. */
const retryAfterSeconds = 30;

/** The user who subscribes. */
export type Subscriber = { orgId: number; userId: number };

/** Limits how many streams are open. */
export type StreamLimiter = {
  /**
   * Counts one more stream, and returns the function that releases it.
   *
   * @throws ContractError `rate_limited`
   */
  take(subscriber: Subscriber): () => void;
  count(): number;
};

export function createStreamLimiter(): StreamLimiter {
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
      if ((taken.get(user) ?? 0) >= perUserMax) throw rejection(`A person may have ${perUserMax} live streams open`);
      if ((taken.get(organization) ?? 0) >= perOrganizationMax) {
        throw rejection(`An organization may have ${perOrganizationMax} live streams open`);
      }
      change([user, organization], 1);
      return () => change([user, organization], -1);
    },
    count: () => count,
  };
}

function rejection(why: string): ContractError {
  return new ContractError('rate_limited', `${why}; close one or come back later`, { retryAfterSeconds });
}
