import { setTimeout as delay } from 'node:timers/promises';
import { readOpenCount } from '../../notifying/alerts/queries.js';
import type { Log } from '../../kernel/log.js';
import type { Queries } from '../../kernel/database/client.js';
import { createHistory } from './history.js';
import { createItemQueue, type ItemQueue } from './item-queue.js';
import type { CursorItem } from './items.js';
import { createListener, type ListenerTiming } from './listener.js';
import { changedIn, parseAlertsNotice, parseAnnouncement } from './notices.js';
import { createPositionFeed, type PositionFeed, positionsPerItemMax } from './position-feed.js';
import { readChanged } from './position-queries.js';
import { createStreamLimiter, type Subscriber } from './stream-limiter.js';

/** How long the first announcement waits for further ones, and the minimum time between two rounds of sending. */
const gatherMs = 10;
const roundEveryMs = 200;
/** Rounds take longer with many streams, since each stream costs 0.1 to 0.4 ms of processor time. */
const roundPerStreamMs = 2;
/** Items that may wait for a subscriber with a slow connection: one second of items. All subscribers share the same objects. */
const queuedItemsMax = 5;
/** If more than this was missed, the client gets a `resync` instead. */
const replayedMax = 2000;
/** How long the process keeps listening after the last subscriber has left, for clients that reconnect. */
const lingerMs = 60_000;

/** The present number of streams, and totals since the start of the process. */
export type LiveStats = {
  streams: number;
  organizations: number;
  /** 1 while database notifications are received; 0 if nobody subscribes or the connection is broken. */
  listening: 0 | 1;
  /** Subscribers that were too slow and had to load everything again. */
  overflows: number;
};

export type LivePositions = {
  /**
   * Streams the positions of an organization as they change, and the number of open alerts whenever it may have
   * changed, until the signal is aborted. Without a cursor the first item is `ready`. With a cursor the stream first
   * sends what the client has missed since, or `resync` if this is unknown.
   *
   * @throws ContractError `rate_limited` with the first item, if too many streams are open
   */
  follow(subscriber: Subscriber, options: FollowOptions): AsyncGenerator<CursorItem, void>;
  stats(): LiveStats;
  /** Ends all streams and closes the database connection. Resolves when no more reads are running. */
  stop(): Promise<void>;
};

export type FollowOptions = {
  /** The cursor of the last item received. As a client sends it, it can be any text. */
  after: string | undefined;
  signal: AbortSignal;
};

export type LivePositionsOptions = {
  databaseUrl: string;
  /** Returns the database for reading the positions of an organization. */
  databaseOf(orgId: number): Queries;
  log: Log;
  timing?: ListenerTiming;
};

/**
 * Creates the live positions of this process. It listens to the database only while somebody is subscribed, and one
 * minute longer.
 */
export function createLivePositions({ databaseUrl, databaseOf, log, timing }: LivePositionsOptions): LivePositions {
  const history = createHistory();
  const feeds = new Map<number, PositionFeed>();
  const queues = new Set<ItemQueue>();
  const limiter = createStreamLimiter();
  const due = new Set<PositionFeed>();
  const waitingForCursor = new Set<() => void>();
  let flushing: Promise<void> | undefined;
  let lingering: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  let overflows = 0;

  const listener = createListener({
    url: databaseUrl,
    log,
    onCursor(cursor) {
      const wasLost = history.latestCursor() === undefined;
      history.addCursor(cursor);
      for (const feed of feeds.values()) {
        if (wasLost) feed.resync();
        else feed.keepFresh();
      }
      for (const proceed of waitingForCursor) proceed();
      waitingForCursor.clear();
    },
    onAnnouncement(payload) {
      const announcement = parseAnnouncement(payload);
      if (!announcement) return;
      history.addAnnouncement(announcement);
      const feed = feeds.get(announcement.orgId);
      if (!feed) return;
      feed.announce(changedIn(announcement));
      scheduleFlush(feed);
    },
    onAlerts(payload) {
      const feed = feeds.get(parseAlertsNotice(payload) ?? 0);
      if (!feed) return;
      feed.announceAlerts();
      scheduleFlush(feed);
    },
    onLost: history.clear,
    ...(timing && { timing }),
  });

  function scheduleFlush(feed: PositionFeed): void {
    due.add(feed);
    flushing ??= flushInRounds();
  }

  /** Sends due items, one organization after another, so that live views never use more than one connection. */
  async function flushInRounds(): Promise<void> {
    await pause(gatherMs);
    while (due.size > 0 && !stopping.signal.aborted) {
      const beganAtMs = performance.now();
      for (const feed of Array.from(due)) {
        due.delete(feed);
        await feed.flush();
        if (feed.isDue() && feed.subscribers.size > 0) due.add(feed);
      }
      const roundMs = Math.max(roundEveryMs, limiter.count() * roundPerStreamMs);
      await pause(Math.max(gatherMs, roundMs - (performance.now() - beganAtMs)));
    }
    flushing = undefined;
  }

  async function pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: stopping.signal }).catch(() => {});
  }

  function feedOf(orgId: number, cursor: string): PositionFeed {
    const known = feeds.get(orgId);
    if (known) return known;
    const feed = createPositionFeed({
      cursor,
      latestCursor: history.latestCursor,
      read: (changed) => readChanged(databaseOf(orgId), orgId, changed),
      countAlerts: () => readOpenCount(databaseOf(orgId), orgId),
      onFailure: (error) => log.warn({ err: error, orgId }, 'positions or alerts could not be read for live views'),
      elapsedMs: () => performance.now(),
    });
    feeds.set(orgId, feed);
    return feed;
  }

  /**
   * Returns the latest cursor, and waits for one while the database is unreachable. Returns undefined if the stream
   * ends first.
   */
  async function waitForCursor(queue: ItemQueue): Promise<string | undefined> {
    while (history.latestCursor() === undefined && !queue.isClosed) {
      await new Promise<void>((resolve) => {
        waitingForCursor.add(resolve);
        void queue.closed.then(resolve);
      });
    }
    return queue.isClosed ? undefined : history.latestCursor();
  }

  async function* missed(
    orgId: number,
    { after, cursor }: { after: string; cursor: string },
  ): AsyncGenerator<CursorItem> {
    const changed = history.since(after, { orgId, idsMax: replayedMax });
    if (!changed) {
      yield { cursor, item: { kind: 'resync' } };
      return;
    }
    const count = Math.max(changed.moved.length, changed.contained.length);
    for (let at = 0; at === 0 || at < count; at += positionsPerItemMax) {
      const until = at + positionsPerItemMax;
      const part = { moved: changed.moved.slice(at, until), contained: changed.contained.slice(at, until) };
      const item = await readChanged(databaseOf(orgId), orgId, part);
      // Only the last part completes the cursor.
      yield { cursor: until >= count ? cursor : after, item };
    }
  }

  async function* begin(
    orgId: number,
    { after, cursor }: { after: string | undefined; cursor: string },
  ): AsyncGenerator<CursorItem> {
    if (after === undefined) {
      yield { cursor, item: { kind: 'ready' } };
      return;
    }
    try {
      yield* missed(orgId, { after, cursor });
    } catch (error) {
      log.warn({ err: error, orgId }, 'missed positions of a live view could not be read');
      yield { cursor, item: { kind: 'resync' } };
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
      const release = limiter.take(subscriber);
      const queue = createItemQueue(queuedItemsMax, () => (overflows += 1));
      signal.addEventListener('abort', queue.close, { once: true });
      enter(queue);
      try {
        const cursor = await waitForCursor(queue);
        if (cursor === undefined) return;
        // Subscribes before the lookups, so that announcements that arrive meanwhile wait in the queue.
        feedOf(orgId, cursor).subscribers.add(queue);
        yield* begin(orgId, { after, cursor });
        for (let next = await queue.next(); next; next = await queue.next()) yield next;
      } finally {
        leave(orgId, queue);
        release();
      }
    },
    stats: () => ({
      streams: limiter.count(),
      organizations: feeds.size,
      listening: history.latestCursor() === undefined ? 0 : 1,
      overflows,
    }),
    async stop() {
      stopping.abort();
      for (const queue of queues) queue.close();
      stopListening();
      await flushing;
    },
  };
}
