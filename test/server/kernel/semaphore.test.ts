import { expect, test } from 'vitest';
import { createSemaphore, QueueFullError } from '../../../server/kernel/semaphore.js';

test('a semaphore limits how much runs and how much waits, and rejects the rest', async () => {
  const pass = createSemaphore({ runningMax: 2, waitingMax: 1 });
  const release: (() => void)[] = [];
  const work = () => new Promise<void>((resolve) => release.push(resolve));
  const first = [pass(work), pass(work), pass(work)];
  await expect(pass(work)).rejects.toBeInstanceOf(QueueFullError);
  expect(release).toHaveLength(2);
  release.shift()?.();
  await first[0];
  await expect.poll(() => release.length).toBe(2);
  for (const each of release) each();
  await Promise.all(first);
  await pass(() => Promise.resolve());
  await expect(pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await pass(() => Promise.resolve());
});
