import type { MarkedItem } from './items.js';

/** What waits to be sent to one subscriber. */
export type ItemQueue = {
  /** Where there is no room, everything that waits gives way to a `resync`. */
  push(item: MarkedItem): void;
  /** The next item, as soon as there is one; undefined once the queue is closed. For one reader at a time. */
  next(): Promise<MarkedItem | undefined>;
  /** Ends it at once, whatever still waits. */
  close(): void;
  readonly isClosed: boolean;
  /** Resolves when it is closed. */
  readonly closed: Promise<void>;
};

/** @param onOverflow hears of each time that a subscriber was too slow */
export function createItemQueue(itemsMax: number, onOverflow: () => void): ItemQueue {
  let waiting: MarkedItem[] = [];
  let isClosed = false;
  let wake = () => {};
  let tellClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });

  return {
    push(item) {
      if (waiting.length < itemsMax) waiting.push(item);
      else {
        onOverflow();
        waiting = [{ mark: item.mark, item: { kind: 'resync' } }];
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
      tellClosed();
    },
    get isClosed() {
      return isClosed;
    },
    closed,
  };
}
