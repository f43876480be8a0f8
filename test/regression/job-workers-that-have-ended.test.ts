import { EventEmitter, once } from 'node:events';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startJobWorkers } from '../../server/kernel/jobs/job-workers.js';
import { createLog } from '../../server/kernel/log.js';
import { isStillThere } from '../support/garbage.js';
import { createTestDatabase } from '../support/postgres.js';

/** Has one job done by workers of its own; returns what its task referred to. */
async function runOneJob(url: string): Promise<WeakRef<object>> {
  const done = new EventEmitter();
  const pool = new pg.Pool({ connectionString: url, max: 3 });
  const finished = once(done, 'finished');
  const workers = startJobWorkers(
    { tasks: { greet: async (payload) => void done.emit('finished', payload) }, concurrency: 1 },
    { pool, log: createLog('silent'), signal: new AbortController().signal, pollMs: 5000 },
  );
  await pool.query(`SELECT graphile_worker.add_job('greet', '{"name": "Ada"}')`);
  expect(await finished).toEqual([{ name: 'Ada' }]);
  await workers.stop();
  await pool.end();
  return new WeakRef(done);
}

test('what the tasks of workers refer to is released once the workers have ended', async () => {
  await using database = await createTestDatabase();
  const referredTo = await runOneJob(database.url);
  // The library's timer for jobs that do not end holds it for five seconds, and each look collects all garbage.
  await expect.poll(() => isStillThere(referredTo), { interval: 1000 }).toBe(false);
});
