import { setTimeout as delay } from 'node:timers/promises';
import { readOpenCount } from '../alerts/open-count.js';
import type { Database } from '../database/client.js';
import type { Log } from '../log.js';
import { createHistory } from './history.js';
import { createItemQueue, type ItemQueue } from './item-queue.js';
import type { MarkedItem } from './items.js';
import { createListener, type ListenerTiming } from './listener.js';
import { assetIdsOf, parseAlertsNotice, parseAnnouncement } from './notices.js';
import { createPositionFeed, type PositionFeed, positionsPerItemMax } from './position-feed.js';
import { readPositions } from './position-queries.js';
import { createStreamPlaces, type Subscriber } from './stream-places.js';

/** How long the first of several announcements waits for others, and the least time between two rounds of telling. */
const gatherMs = 10;
const roundEveryMs = 200;
/** Rounds take longer where many listen, as each of them costs some 0.1 to 0.4 ms of the processor. */
const roundPerStreamMs = 2;
/** What may wait for a subscriber whose connection is slow; the positions are the same objects for all. */
const queuedItemsMax = 20;
/** More that was missed is told as a `resync`. */
const replayedMax = 2000;
/** How long it is still listened for those who come back, when the last subscriber has gone. */
const lingerMs = 60_000;

/** What is watched now, and totals since the start of the process. */
export type LiveStats = {
  streams: number;
  organizations: number;
  /** 1 where the database's announcements are heard, 0 where nobody asks or the connection is broken. */
  listening: 0 | 1;
  /** Subscribers that were too slow and have to ask for everything again. */
  overflows: number;
};

export type LivePositions = {
  /**
   * The positions of an organization as they change, and how many alerts are open whenever that may differ, until the signal is aborted. The first item is `ready`, or after a
   * mark what was missed since, or `resync` if that cannot be told.
   *
   * @throws ContractError `rate_limited` with the first item, where too many streams are open
   */
  follow(subscriber: Subscriber, options: FollowOptions): AsyncGenerator<MarkedItem, void>;
  stats(): LiveStats;
  /** Ends all streams and the connection to the database, and resolves once nothing more is read from it. */
  stop(): Promise<void>;
};

export type FollowOptions = {
  /** The mark of the item that was got last, or anything else that a client sent for one. */
  after: string | undefined;
  signal: AbortSignal;
};

export type LivePositionsOptions = {
  databaseUrl: string;
  /** Gives the database for reading the positions of an organization. */
  databaseOf(orgId: number): Pick<Database, '$queryRaw'>;
  log: Log;
  timing?: ListenerTiming;
};

/**
 * What this process tells about positions. It listens to the database while somebody is subscribed and a little longer,
 * so that a process without subscribers does not even hear what is announced.
 */
export function createLivePositions({ databaseUrl, databaseOf, log, timing }: LivePositionsOptions): LivePositions {
  const history = createHistory();
  const feeds = new Map<number, PositionFeed>();
  const queues = new Set<ItemQueue>();
  const places = createStreamPlaces();
  const due = new Set<PositionFeed>();
  const waitingForMark = new Set<() => void>();
  let telling: Promise<void> | undefined;
  let lingering: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  let overflows = 0;

  const listener = createListener({
    url: databaseUrl,
    log,
    onMark(mark) {
      const wasLost = history.latestMark() === undefined;
      history.addMark(mark);
      for (const feed of feeds.values()) {
        if (wasLost) feed.resync();
        else feed.keepFresh();
      }
      for (const proceed of waitingForMark) proceed();
      waitingForMark.clear();
    },
    onAnnouncement(payload) {
      const announcement = parseAnnouncement(payload);
      if (!announcement) return;
      history.addAnnouncement(announcement);
      const feed = feeds.get(announcement.orgId);
      if (!feed) return;
      feed.announce(assetIdsOf(announcement));
      tellSoon(feed);
    },
    onAlerts(payload) {
      const feed = feeds.get(parseAlertsNotice(payload) ?? 0);
      if (!feed) return;
      feed.announceAlerts();
      tellSoon(feed);
    },
    onLost: history.clear,
    ...(timing && { timing }),
  });

  function tellSoon(feed: PositionFeed): void {
    due.add(feed);
    telling ??= tellInRounds();
  }

  /** Tells what is due, organization by organization, so that live views never take more than one connection. */
  async function tellInRounds(): Promise<void> {
    await pause(gatherMs);
    while (due.size > 0 && !stopping.signal.aborted) {
      const beganAtMs = performance.now();
      for (const feed of [...due]) {
        due.delete(feed);
        await feed.flush();
        if (feed.isDue() && feed.subscribers.size > 0) due.add(feed);
      }
      const roundMs = Math.max(roundEveryMs, places.count() * roundPerStreamMs);
      await pause(Math.max(gatherMs, roundMs - (performance.now() - beganAtMs)));
    }
    telling = undefined;
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: stopping.signal }).catch(() => {});
  }

  function feedOf(orgId: number, mark: string): PositionFeed {
    const known = feeds.get(orgId);
    if (known) return known;
    const feed = createPositionFeed({
      mark,
      latestMark: history.latestMark,
      read: (assetIds) => readPositions(databaseOf(orgId), orgId, assetIds),
      countAlerts: () => readOpenCount(databaseOf(orgId), orgId),
      onFailure: (error) => log.warn({ err: error, orgId }, 'positions or alerts could not be read for live views'),
      elapsedMs: () => performance.now(),
    });
    feeds.set(orgId, feed);
    return feed;
  }

  /** The mark heard last; waits while the database cannot be heard. Undefined where the stream ends before. */
  async function presentMark(queue: ItemQueue): Promise<string | undefined> {
    while (history.latestMark() === undefined && !queue.isClosed) {
      await new Promise<void>((resolve) => {
        waitingForMark.add(resolve);
        void queue.closed.then(resolve);
      });
    }
    return queue.isClosed ? undefined : history.latestMark();
  }

  async function* missed(orgId: number, { after, mark }: { after: string; mark: string }): AsyncGenerator<MarkedItem> {
    const assetIds = history.since(after, { orgId, idsMax: replayedMax });
    if (!assetIds) {
      yield { mark, item: { kind: 'resync' } };
      return;
    }
    for (let at = 0; at === 0 || at < assetIds.length; at += positionsPerItemMax) {
      const some = assetIds.slice(at, at + positionsPerItemMax);
      const positions = some.length === 0 ? [] : await readPositions(databaseOf(orgId), orgId, some);
      // Only who has got the last of it has got everything.
      yield { mark: at + some.length >= assetIds.length ? mark : after, item: { kind: 'positions', positions } };
    }
  }

  async function* begin(
    orgId: number,
    { after, mark }: { after: string | undefined; mark: string },
  ): AsyncGenerator<MarkedItem> {
    if (after === undefined) {
      yield { mark, item: { kind: 'ready' } };
      return;
    }
    try {
      yield* missed(orgId, { after, mark });
    } catch (error) {
      log.warn({ err: error, orgId }, 'what a live view missed could not be read');
      yield { mark, item: { kind: 'resync' } };
    }
  }

  function enter(queue: ItemQueue): void {
    queues.add(queue);
    clearTimeout(lingering);
    listener.open();
  }

  function leave(orgId: number, queue: ItemQueue): void {
    queues.delete(queue);
    const feed = feeds.get(orgId);
    feed?.subscribers.delete(queue);
    if (feed?.subscribers.size === 0) feeds.delete(orgId);
    if (queues.size > 0 || stopping.signal.aborted) return;
    lingering = setTimeout(stopListening, lingerMs).unref();
  }

  function stopListening(): void {
    clearTimeout(lingering);
    listener.close();
    history.clear();
  }

  return {
    async *follow(subscriber, { after, signal }) {
      if (stopping.signal.aborted || signal.aborted) return;
      const { orgId } = subscriber;
      const leavePlace = places.take(subscriber);
      const queue = createItemQueue(queuedItemsMax, () => (overflows += 1));
      signal.addEventListener('abort', queue.close, { once: true });
      enter(queue);
      try {
        const mark = await presentMark(queue);
        if (mark === undefined) return;
        // Before anything is looked up: what is announced meanwhile waits in the queue.
        feedOf(orgId, mark).subscribers.add(queue);
        yield* begin(orgId, { after, mark });
        for (let next = await queue.next(); next; next = await queue.next()) yield next;
      } finally {
        leave(orgId, queue);
        leavePlace();
      }
    },
    stats: () => ({
      streams: places.count(),
      organizations: feeds.size,
      listening: history.latestMark() === undefined ? 0 : 1,
      overflows,
    }),
    async stop() {
      stopping.abort();
      for (const queue of queues) queue.close();
      stopListening();
      await telling;
    },
  };
}
