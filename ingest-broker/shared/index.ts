import type { Log, SharedRedis } from '../../server/index.js';
import type { Sessions } from '../sessions.js';
import type { UnreleasedMessages } from '../unreleased-messages.js';
import { createSharedEmitter } from './emitter.js';
import { createSharedPersistence } from './persistence.js';
import { createSharedSessions } from './sessions.js';

const pruneEveryMs = 3_600_000;

/** What a broker shares with those of other processes on the same Redis. */
export type Cluster = {
  /** For Aedes. */
  readonly options: { mq: object; persistence: object };
  readonly sessions: Sessions;
  /** What waits for Redis waits no longer. */
  stop(): void;
};

export type ClusterOptions = { redis: SharedRedis; log: Log; unreleased: UnreleasedMessages };

export function joinCluster({ redis, log, unreleased }: ClusterOptions): Cluster {
  const stopping = new AbortController();
  const persistence = createSharedPersistence({ redis, log, stopping: stopping.signal, unreleased });
  const pruning = setInterval(() => {
    persistence.prune().catch((error: unknown) => log.debug({ err: error }, 'sessions could not be pruned'));
  }, pruneEveryMs);
  pruning.unref();
  return {
    options: { mq: createSharedEmitter({ redis, log }), persistence },
    sessions: createSharedSessions({ redis, persistence, log }),
    stop() {
      stopping.abort();
      clearInterval(pruning);
    },
  };
}
