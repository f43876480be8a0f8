import { describe, expect, it } from 'vitest';
import { createItemQueue } from '../../../../server/tracking/live/item-queue.js';
import type { LivePosition } from '../../../../server/tracking/live/items.js';
import { createPositionFeed } from '../../../../server/tracking/live/position-feed.js';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

const moved = (ids: number[]) => ({ moved: ids, contained: [] });

function setUp() {
  const state = { cursor: 'M1' as string | undefined, nowMs: 1_000_000, reads: [] as number[][], failure: false };
  const failures: unknown[] = [];
  const feed = createPositionFeed({
    cursor: 'M1',
    latestCursor: () => state.cursor,
    read: async ({ moved: ids, contained }) => {
      state.reads.push([...ids]);
      if (state.failure) throw new Error('the database is unavailable');
      const positions = ids.map((asset_id) => ({ asset_id }) as LivePosition);
      const item = { kind: 'positions', positions } as const;
      return contained.length === 0
        ? item
        : { ...item, contained: contained.map((asset_id) => ({ asset_id, containers: [] })) };
    },
    countAlerts: () => Promise.resolve({ count: 3, is_more: false }),
    onFailure: (error) => failures.push(error),
    elapsedMs: () => state.nowMs,
  });
  let overflows = 0;
  const queue = createItemQueue(4, () => (overflows += 1));
  feed.subscribers.add(queue);
  /** A short form of what the subscriber receives. */
  async function received(): Promise<string[]> {
    const items: string[] = [];
    queue.push({ cursor: 'end', item: { kind: 'ready' } });
    for (;;) {
      const { cursor, item } = (await queue.next()) ?? { cursor: 'end', item: { kind: 'ready' } };
      if (cursor === 'end') return items;
      items.push(`${cursor} ${item.kind === 'positions' ? item.positions.length : item.kind}`);
    }
  }
  return { state, failures, feed, queue, received, overflows: () => overflows };
}

describe('the feed of an organization', () => {
  it('is read once for all subscribers, each asset once, however often it was announced', async () => {
    const { state, feed, received } = setUp();
    const other = createItemQueue(3, () => {});
    feed.subscribers.add(other);
    feed.announce(moved([1, 2]));
    feed.announce(moved([2, 3]));
    state.cursor = 'M2';
    expect(feed.isDue()).toBe(true);
    await feed.flush();
    expect(feed.isDue()).toBe(false);
    expect(state.reads).toEqual([[1, 2, 3]]);
    expect(await received()).toEqual(['M2 3']);
    expect(await other.next()).toMatchObject({ cursor: 'M2', item: { kind: 'positions' } });
  });

  it('has the number of open alerts, once a round, however often they changed', async () => {
    const { feed, received } = setUp();
    feed.announceAlerts();
    feed.announceAlerts();
    feed.announce(moved([1]));
    expect(feed.isDue()).toBe(true);
    await feed.flush();
    expect(feed.isDue()).toBe(false);
    expect(await received()).toEqual(['M1 alerts', 'M1 1']);
  });

  it('carries a cursor only when everything before the cursor has been sent', async () => {
    const { state, feed, received } = setUp();
    feed.announce(moved(range(1, 1200)));
    state.cursor = 'M2';
    for (let round = 0; round < 3; round += 1) await feed.flush();
    expect(state.reads.map(({ length }) => length)).toEqual([500, 500, 200]);
    expect(await received()).toEqual(['M1 500', 'M1 500', 'M2 200']);
  });

  it('carries a cursor only when the changes of containers before the cursor have been sent, too', async () => {
    const { state, feed, queue } = setUp();
    feed.announce({ moved: [1], contained: range(1, 700) });
    state.cursor = 'M2';
    const sent: [string, number, number | undefined][] = [];
    while (feed.isDue()) {
      await feed.flush();
      const { cursor = '', item } = (await queue.next()) ?? {};
      if (item?.kind === 'positions') sent.push([cursor, item.positions.length, item.contained?.length]);
    }
    expect(sent).toEqual([
      ['M1', 1, 500],
      ['M2', 0, 200],
    ]);
  });

  it('is a resync where more changes than can be read, and that not more often than every 5 s', async () => {
    const { state, feed, received } = setUp();
    feed.announce(moved(range(1, 6000)));
    state.cursor = 'M2';
    await feed.flush();
    expect(await received()).toEqual(['M2 resync']);
    feed.announce(moved(range(1, 6000)));
    feed.announce(moved([1]));
    await feed.flush();
    expect([feed.isDue(), await received()]).toEqual([true, []]);
    state.nowMs += 5000;
    await feed.flush();
    expect([feed.isDue(), await received()]).toEqual([false, ['M2 resync']]);
    expect(state.reads).toEqual([]);
    feed.announce(moved([1]));
    await feed.flush();
    expect(await received()).toEqual(['M2 1']);
  });

  it('is a resync where the database could not be read', async () => {
    const { state, failures, feed, received } = setUp();
    feed.announce(moved([1]));
    state.failure = true;
    await feed.flush();
    expect([failures.length, feed.isDue(), await received()]).toEqual([1, true, []]);
    state.failure = false;
    await feed.flush();
    expect(await received()).toEqual(['M1 resync']);
  });

  it('keeps its last cursor while the database is unavailable', async () => {
    const { state, feed, received } = setUp();
    feed.announce(moved([1]));
    state.cursor = undefined;
    await feed.flush();
    expect(await received()).toEqual(['M1 1']);
  });

  it('moves the cursor on where nothing changes, now and then', async () => {
    const { state, feed, received } = setUp();
    state.cursor = 'M2';
    feed.keepFresh();
    expect(await received()).toEqual([]);
    state.nowMs += 30_000;
    feed.announce(moved([1]));
    feed.keepFresh();
    expect(await received()).toEqual([]);
    await feed.flush();
    state.nowMs += 30_000;
    state.cursor = 'M3';
    feed.keepFresh();
    expect(await received()).toEqual(['M2 1', 'M3 0']);
  });
});

describe('a slow subscriber', () => {
  it('has one resync waiting once its bound is exceeded, and asks for everything when it comes back', async () => {
    const { state, feed, queue, received, overflows } = setUp();
    for (let n = 1; n <= 50; n += 1) {
      state.cursor = `M${n}`;
      feed.announce(moved([n]));
      await feed.flush();
    }
    expect(await queue.next()).toEqual({ cursor: 'M50', item: { kind: 'resync' } });
    expect(overflows()).toBe(1);
    expect(await received()).toEqual([]);
    feed.announce(moved([1]));
    await feed.flush();
    expect(await received()).toEqual(['M50 1']);
  });

  it('gets nothing more once it is closed, and does not wait', async () => {
    const queue = createItemQueue(3, () => {});
    const next = queue.next();
    queue.close();
    queue.push({ cursor: 'M', item: { kind: 'ready' } });
    expect([await next, await queue.next(), queue.isClosed]).toEqual([undefined, undefined, true]);
    await queue.closed;
  });
});
