import type { Database } from '../../kernel/database/client.js';
import type { Log } from '../../kernel/log.js';
import type { EventType } from './event-types.js';

/** Caches which types of events each organization uses. */
export type EventInterests = {
  wants(orgId: number, type: EventType): boolean;
  /** Loads the interests, and keeps them at most 2 s old until `stop`. */
  start(): Promise<void>;
  stop(): Promise<void>;
};

const refreshMs = 1000;

/** The next refresh still finds rows of a transaction that commits this long after it wrote them. */
const overlapMs = 60_000;

type InterestRow = { org_id: number; types: string[]; updated_at: Date };

/** Creates the cache of interests. Ingestion asks it for each batch, so organizations without rules cost no query. */
export function createEventInterests({ db, log }: { db: Database; log: Log }): EventInterests {
  const byOrg = new Map<number, ReadonlySet<string>>();
  let newestMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let refreshing: Promise<void> = Promise.resolve();
  let isStopped = false;

  async function refresh(): Promise<void> {
    const rows = await db.$queryRaw<InterestRow[]>`
      SELECT org_id, types, updated_at FROM event_interests WHERE updated_at > ${new Date(newestMs - overlapMs)}`;
    for (const { org_id: orgId, types, updated_at: updatedAt } of rows) {
      if (types.length > 0) byOrg.set(orgId, new Set(types));
      else byOrg.delete(orgId);
      newestMs = Math.max(newestMs, updatedAt.getTime());
    }
  }

  function schedule(): void {
    timer = setTimeout(() => {
      refreshing = refresh()
        .catch((error: unknown) => log.warn({ err: error }, 'interests in events cannot be read'))
        .then(() => (isStopped ? undefined : schedule()));
    }, refreshMs);
    timer.unref();
  }

  return {
    wants: (orgId, type) => byOrg.get(orgId)?.has(type) ?? false,
    async start() {
      await refresh();
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await refreshing;
    },
  };
}
