import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Database } from '../database/client.js';
import { limitsOf } from '../database/connection-settings.js';
import { createSilenceWatch } from '../database/silence.js';
import type { Log } from '../log.js';
import { type JobWorkers, type JobWorkersOptions, startJobWorkers } from './job-workers.js';
import { ensureJob, forgetProcess, noteLiving, type QueueFigures, readQueueFigures } from './queue-queries.js';

/** The workers of this process. They share the jobs of the database with the workers of other processes. */
export type Jobs = {
  start(): void;
  /** Finishes the running jobs, or returns them to the queue after `finishMs`. */
  stop(): Promise<void>;
  stats(): JobStats;
};

export type JobStats = QueueFigures & {
  /** Failures of jobs in this process since its start. */
  errors: number;
};

export type JobsOptions = {
  db: Database;
  databaseUrl: string;
  log: Log;
  workers: readonly JobWorkersOptions[];
  /** Tasks that one of all processes runs repeatedly, after `repeatMs` to twice this time. */
  repeated: readonly string[];
  /** How long a job may continue while the process stops. */
  finishMs: number;
  /** 5 seconds by default; shorter in tests that wait for repeated tasks. */
  repeatMs?: number | undefined;
};

const repeatMsDefault = 5000;

/** Connections, in addition to one for each group of workers, which listens for new jobs. */
const connectionsMax = 3;

/** Creates the workers. Nothing runs before `start`. */
export function createJobs({ db, databaseUrl, log, workers: options, ...rest }: JobsOptions): Jobs {
  const { repeated, finishMs, repeatMs = repeatMsDefault } = rest;
  const processId = randomUUID();
  const stopping = new AbortController();
  let workers: JobWorkers[] = [];
  let pool: pg.Pool | undefined;
  let timer: NodeJS.Timeout | undefined;
  let tending: Promise<void> = Promise.resolve();
  let figures: QueueFigures = {
    waiting: 0,
    oldestSeconds: 0,
    failed: 0,
    pendingDeliveries: 0,
    pendingDeliveryBytes: 0,
    waitingEvents: 0,
  };

  async function tend(): Promise<void> {
    try {
      const dead = await noteLiving(
        db,
        processId,
        workers.flatMap((group) => group.workerIds()),
      );
      if (dead > 0) log.warn({ dead }, 'jobs of dead processes were released');
      for (const task of repeated) await ensureJob(db, task, repeatMs);
      figures = await readQueueFigures(db);
    } catch (error) {
      if (!stopping.signal.aborted) log.warn({ err: error }, 'the maintenance of the job queue failed');
    }
  }

  return {
    start() {
      const { silenceMaxMs: patienceMs, statementTimeoutMs: statementMs } = limitsOf.background;
      const isEnded = () => running.ending;
      const silence = createSilenceWatch({ url: databaseUrl, patienceMs, statementMs, log, isEnded });
      const running = new pg.Pool({
        connectionString: databaseUrl,
        max: connectionsMax + options.length,
        application_name: 'whereabouts jobs',
        connectionTimeoutMillis: 10_000,
        onConnect: (client) => silence.watch(client),
      });
      pool = running;
      running.on('error', (error) => {
        if (!running.ending) log.warn({ err: error }, 'a connection of the job queue broke');
      });
      // A connection in use that breaks is reported by the statement under way. Without a listener the event would end the process.
      running.on('connect', (client) => client.on('error', () => {}));
      workers = options.map((group) =>
        startJobWorkers(group, { pool: running, log, signal: stopping.signal, pollMs: repeatMs }),
      );
      tending = tend();
      timer = setInterval(() => {
        tending = tending.then(tend);
      }, repeatMs);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      // The core can be stopped more than once; a pool cannot be ended twice.
      const running = pool;
      pool = undefined;
      if (!running) return;
      const abortTimer = setTimeout(() => stopping.abort(), finishMs).unref();
      await Promise.all(workers.map((group) => group.stop()));
      clearTimeout(abortTimer);
      stopping.abort();
      await tending;
      await forgetProcess(db, processId).catch((error: unknown) =>
        log.warn({ err: error }, 'the job queue is unavailable'),
      );
      await running.end();
    },
    stats: () => ({ ...figures, errors: workers.reduce((sum, group) => sum + group.errors(), 0) }),
  };
}
