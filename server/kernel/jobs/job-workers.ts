import { EventEmitter } from 'node:events';
import { runTaskList, type TaskList, type WorkerEvents, type WorkerPool } from 'graphile-worker';
import type pg from 'pg';
import type { Log } from '../log.js';
import { createJobLogger } from './job-logger.js';

/**
 * Runs one job. The signal is aborted when the process stops: the task then ends early and leaves the rest to other
 * processes.
 */
export type Task = (payload: unknown, signal: AbortSignal) => Promise<void>;

/** Tasks that share workers. Slow tasks get workers of their own, so that fast ones do not wait for them. */
export type JobWorkersOptions = { tasks: Record<string, Task>; concurrency: number };

export type JobWorkers = {
  workerIds(): string[];
  errors(): number;
  stop(): Promise<void>;
};

/** The library's workers end after ten failures in a row to reach the database; new ones are started after this time. */
const restartAfterMs = 1000;

type WorkerContext = {
  pool: pg.Pool;
  log: Log;
  signal: AbortSignal;
  /** A notification starts a job at once; polling finds jobs that become due, or were added while nobody listened. */
  pollMs: number;
};

type RunningWorkers = { readonly pool: WorkerPool; readonly events: WorkerEvents };

/**
 * Ends workers. The library keeps the emitter of ended workers, so its listeners are removed with everything that they
 * refer to.
 */
async function end({ pool, events }: RunningWorkers): Promise<void> {
  try {
    await pool.gracefulShutdown();
  } finally {
    events.removeAllListeners();
  }
}

/** Starts workers for some tasks and keeps them running until they are stopped. */
export function startJobWorkers(
  { tasks, concurrency }: JobWorkersOptions,
  { pool: database, log, signal, pollMs }: WorkerContext,
): JobWorkers {
  const taskList: TaskList = Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [name, (payload: unknown) => task(payload, signal)]),
  );
  let errors = 0;
  let isStopping = false;
  let restart: NodeJS.Timeout | undefined;
  let workers = start();

  function start(): RunningWorkers {
    const events = new EventEmitter() as WorkerEvents;
    events.on('job:error', ({ error, job }) => {
      errors += 1;
      log.warn({ err: error, task: job.task_identifier, attempts: job.attempts }, 'a job failed');
    });
    events.on('worker:fatalError', () => {
      if (isStopping || restart) return;
      restart = setTimeout(() => {
        restart = undefined;
        const ended = workers;
        workers = start();
        end(ended).catch((error: unknown) => log.warn({ err: error }, 'workers did not stop'));
      }, restartAfterMs).unref();
    });
    const pool = runTaskList(
      {
        concurrency,
        events,
        pollInterval: pollMs,
        noHandleSignals: true,
        logger: createJobLogger(log),
      },
      taskList,
      database,
    );
    return { pool, events };
  }

  return {
    workerIds: () => workers.pool._workers.map(({ workerId }) => workerId),
    errors: () => errors,
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      await end(workers);
    },
  };
}
