import { ContractError } from '../../kernel/errors.js';
import { createOwnerCounts } from '../../kernel/owner-counts.js';

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
  const users = createOwnerCounts<number>();
  const organizations = createOwnerCounts<number>();

  function add({ orgId, userId }: Subscriber, count: 1 | -1): void {
    users.add(userId, count);
    organizations.add(orgId, count);
  }

  return {
    take(subscriber) {
      if (users.of(subscriber.userId) >= perUserMax) {
        throw rejection(`A person may have ${perUserMax} live streams open`);
      }
      if (organizations.of(subscriber.orgId) >= perOrganizationMax) {
        throw rejection(`An organization may have ${perOrganizationMax} live streams open`);
      }
      add(subscriber, 1);
      return () => add(subscriber, -1);
    },
    count: users.total,
  };
}

function rejection(why: string): ContractError {
  return new ContractError('rate_limited', `${why}; close one or come back later`, { retryAfterSeconds });
}
