import type { OpenCount } from '../../notifying/alerts/queries.js';
import type { ItemQueue } from './item-queue.js';
import type { LiveItem } from './items.js';
import type { ChangedAssets } from './notices.js';

/** Assets that may wait to be read. Beyond that, a `resync` is cheaper. */
const pendingMax = 5000;
/** Assets read and sent at once. */
export const positionsPerItemMax = 500;
/** During a flood of changes, subscribers are sent at most one `resync` in this time. */
const resyncEveryMs = 5000;
/**
 * How often the cursor of a quiet organization advances, so that the process still knows it when a client reconnects
 * with it.
 */
const cursorEveryMs = 30_000;

export type FeedOptions = {
  /** Reads the present state of assets that changed. */
  read: (changed: ChangedAssets) => Promise<Extract<LiveItem, { kind: 'positions' }>>;
  /** Counts the open alerts. */
  countAlerts: () => Promise<OpenCount>;
  /**
   * The latest cursor received, or undefined while the database is unreachable. Everything before it has been announced
   * here.
   */
  latestCursor: () => string | undefined;
  /** The cursor to begin with. */
  cursor: string;
  /** Receives the error of a failed read. Subscribers get a `resync` instead. */
  onFailure: (error: unknown) => void;
  /** A monotonic clock, in milliseconds. */
  elapsedMs: () => number;
};

/** Sends the same items to all subscribers of one organization. */
export type PositionFeed = {
  readonly subscribers: Set<ItemQueue>;
  /** Makes the next `flush` send the present state of these assets, which have changed. */
  announce(changed: ChangedAssets): void;
  /** Makes the next `flush` send the number of open alerts, because alerts were opened, acknowledged or ended. */
  announceAlerts(): void;
  /** Reads what was announced in one statement and sends it. Must not run concurrently; never rejects. */
  flush(): Promise<void>;
  /** Returns whether another `flush` is needed. */
  isDue(): boolean;
  /** Makes all subscribers load everything again. */
  resync(): void;
  /** Sends a new cursor to the subscribers of a quiet organization. Call it regularly. */
  keepFresh(): void;
};

export function createPositionFeed(options: FeedOptions): PositionFeed {
  const { read, countAlerts, latestCursor, onFailure, elapsedMs } = options;
  const subscribers = new Set<ItemQueue>();
  const pending = { moved: new Set<number>(), contained: new Set<number>() };
  /** Everything announced before this cursor has been sent. */
  let { cursor } = options;
  let sentAtMs = elapsedMs();
  let resyncedAtMs = Number.NEGATIVE_INFINITY;
  /** More was announced than could be kept, so it is unknown what was missed. */
  let isLost = false;
  let isReading = false;
  let areAlertsDue = false;

  function send(item: LiveItem): void {
    sentAtMs = elapsedMs();
    // One object for all subscribers, which the gateway serializes once.
    const sent = { cursor, item };
    for (const subscriber of subscribers) subscriber.push(sent);
  }

  const pendingCount = () => pending.moved.size + pending.contained.size;

  function forgetPending(): void {
    pending.moved.clear();
    pending.contained.clear();
  }

  function loseTrack(): void {
    isLost = true;
    forgetPending();
  }

  function resync(): void {
    forgetPending();
    areAlertsDue = false;
    isLost = false;
    resyncedAtMs = elapsedMs();
    cursor = latestCursor() ?? cursor;
    send({ kind: 'resync' });
  }

  function take(from: Set<number>): number[] {
    const taken: number[] = [];
    for (const id of from) {
      if (taken.length === positionsPerItemMax) break;
      taken.push(id);
    }
    for (const id of taken) from.delete(id);
    return taken;
  }

  async function readAndSend(): Promise<void> {
    const changed = { moved: take(pending.moved), contained: take(pending.contained) };
    const before = cursor;
    // If assets still wait, they were announced before the latest cursor, so this cursor cannot be sent yet.
    const reached = pendingCount() === 0 ? (latestCursor() ?? before) : before;
    isReading = true;
    try {
      const item = await read(changed);
      // A `resync` may have advanced the cursor further meanwhile.
      if (cursor === before) cursor = reached;
      if (item.positions.length > 0 || item.contained) send(item);
    } catch (error) {
      onFailure(error);
      loseTrack();
    } finally {
      isReading = false;
    }
  }

  /**
   * Sends the number of open alerts. The client asks for it again whenever it reconnects, so this item needs no cursor
   * of its own.
   */
  async function sendAlertCount(): Promise<void> {
    areAlertsDue = false;
    try {
      const open = await countAlerts();
      send({ kind: 'alerts', open });
    } catch (error) {
      onFailure(error);
      loseTrack();
    }
  }

  return {
    subscribers,
    announce({ moved, contained }) {
      if (isLost) return;
      for (const id of moved) pending.moved.add(id);
      for (const id of contained) pending.contained.add(id);
      if (pendingCount() > pendingMax) loseTrack();
    },
    announceAlerts() {
      areAlertsDue = !isLost;
    },
    async flush() {
      if (areAlertsDue) await sendAlertCount();
      if (pendingCount() > 0) await readAndSend();
      else if (isLost && elapsedMs() - resyncedAtMs >= resyncEveryMs) resync();
    },
    isDue: () => isLost || areAlertsDue || pendingCount() > 0,
    resync,
    keepFresh() {
      if (isReading || isLost || pendingCount() > 0 || elapsedMs() - sentAtMs < cursorEveryMs) return;
      cursor = latestCursor() ?? cursor;
      send({ kind: 'positions', positions: [] });
    },
  };
}
