import type { CursorItem } from './items.js';

/** The items that wait to be sent to one subscriber. */
export type ItemQueue = {
  /** Adds an item. If the queue is full, a `resync` replaces everything that waits. */
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

/** @param onOverflow called each time the subscriber was too slow */
export function createItemQueue(itemsMax: number, onOverflow: () => void): ItemQueue {
  let waiting: CursorItem[] = [];
  let isClosed = false;
  let wake = () => {};
  let resolveClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });

  return {
    push(item) {
      if (waiting.length < itemsMax) waiting.push(item);
      else {
        onOverflow();
        waiting = [{ cursor: item.cursor, item: { kind: 'resync' } }];
      }
      wake();
    },
    async next() {
      while (waiting.length === 0 && !isClosed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
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
