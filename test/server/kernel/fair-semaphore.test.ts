import { describe, expect, it } from 'vitest';
import { createFairSemaphore } from '../../../server/kernel/fair-semaphore.js';
import { QueueFullError } from '../../../server/kernel/semaphore.js';

/** A semaphore with one slot, taken by work that ends with `open`; records the order in which other work runs. */
function createQueue(limits: { waitingMax?: number; waitingPerLineMax?: number } = {}) {
  const pass = createFairSemaphore({ runningMax: 1, waitingMax: 100, waitingPerLineMax: 100, ...limits });
  const order: string[] = [];
  const refused: string[] = [];
  let open = () => {};
  const first = pass(['first'], () => new Promise<void>((resolve) => (open = resolve)));
  const all: Promise<unknown>[] = [first];
  return {
    order,
    refused,
    add(name: string, ...path: string[]) {
      const work = pass(path, async () => void order.push(name));
      all.push(
        work.catch((error: unknown) => {
          expect(error).toBeInstanceOf(QueueFullError);
          refused.push(name);
        }),
      );
    },
    async finish() {
      open();
      await Promise.all(all);
    },
    pass,
  };
}

describe('a fair semaphore', () => {
  it('serves lines by turns, and each of them in the order of its work', async () => {
    const queue = createQueue();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) queue.add(name, name.slice(0, 1));
    await queue.finish();
    expect(queue.order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('serves the lines within a line by turns as well', async () => {
    const queue = createQueue();
    for (const name of ['ax1', 'ax2', 'ax3', 'ay1', 'ay2', 'b1', 'b2']) {
      queue.add(name, ...name.slice(0, -1).split(''));
    }
    await queue.finish();
    expect(queue.order).toEqual(['ax1', 'b1', 'ay1', 'b2', 'ax2', 'ay2', 'ax3']);
  });

  it('rejects work beyond the limit of its line', async () => {
    const queue = createQueue({ waitingPerLineMax: 2 });
    for (const name of ['a1', 'a2', 'a3', 'b1']) queue.add(name, name.slice(0, 1));
    await queue.finish();
    expect([queue.order, queue.refused]).toEqual([['a1', 'b1', 'a2'], ['a3']]);
  });

  it('gives up the last work of the fullest line when too much waits', async () => {
    const queue = createQueue({ waitingMax: 4 });
    for (const name of ['ax1', 'ax2', 'ay1', 'az1', 'b1', 'b2', 'c1']) queue.add(name, ...name.slice(0, -1).split(''));
    await queue.finish();
    expect(queue.refused).toEqual(['ax2', 'az1', 'b2']);
    expect(queue.order).toEqual(['ax1', 'b1', 'c1', 'ay1']);
  });

  it('rejects what comes last when all lines are equally full', async () => {
    const queue = createQueue({ waitingMax: 2 });
    for (const name of ['a1', 'b1', 'c1']) queue.add(name, name.slice(0, 1));
    await queue.finish();
    expect([queue.order, queue.refused]).toEqual([['a1', 'b1'], ['c1']]);
  });

  it('runs so much at once, and goes on after work that fails', async () => {
    const pass = createFairSemaphore({ runningMax: 2, waitingMax: 10, waitingPerLineMax: 10 });
    const release: (() => void)[] = [];
    const work = () => new Promise<void>((resolve) => release.push(resolve));
    const running = [pass(['a'], work), pass(['a'], work), pass(['b'], () => Promise.reject(new Error('no')))];
    expect(release).toHaveLength(2);
    release[0]?.();
    await expect(running[2]).rejects.toThrow('no');
    release[1]?.();
    await Promise.all(running.slice(0, 2));
    expect(await pass(['a'], () => Promise.resolve('done'))).toBe('done');
  });
});
