import type { CursorItem } from './items.js';

/** The items that wait to be sent to one subscriber. */
export type ItemQueue = {
  /**
   * Adds an item. If the queue is full, a `resync` replaces all waiting items and every further item, until the
   * subscriber has taken the `resync`. The subscriber then loads everything.
   */
  push(item: CursorItem): void;
  /**
   * Returns the next item as soon as there is one; undefined once the queue is closed. Supports one consumer at a time.
   */
  next(): Promise<CursorItem | undefined>;
  /** Closes the queue at once and drops what still waits. */
  close(): void;
  readonly isClosed: boolean;
  /** Resolves when the queue is closed. */
  readonly closed: Promise<void>;
};

/** @param onOverflow called when the queue is full, but only once until the subscriber takes its `resync` */
export function createItemQueue(itemsMax: number, onOverflow: () => void): ItemQueue {
  let waiting: CursorItem[] = [];
  let hasOverflowed = false;
  let isClosed = false;
  let wake = () => {};
  let resolveClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  return {
    push(item) {
      if (waiting.length === itemsMax && !hasOverflowed) {
        hasOverflowed = true;
        onOverflow();
      }
      if (hasOverflowed) waiting = [{ cursor: item.cursor, item: { kind: 'resync' } }];
      else waiting.push(item);
      wake();
    },
    async next() {
      while (waiting.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      hasOverflowed = false;
      return isClosed ? undefined : waiting.shift();
    },
    close() {
      isClosed = true;
      waiting = [];
      wake();
      resolveClosed();
    },
    get isClosed() {
      return isClosed;
    },
    closed,
  };
}
