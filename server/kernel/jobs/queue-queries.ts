import { Prisma } from '../../../generated/prisma/client.js';
import type { Database } from '../database/client.js';

type Queryable = Pick<Database, '$queryRaw'>;

/** A job to add. */
export type NewJob = {
  task: string;
  payload?: Record<string, unknown>;
  /** Replaces a waiting job with the same key. */
  key?: string;
  runAtMs?: number;
  /** Whether a waiting job with the same key keeps its time. */
  keepsTime?: boolean;
  /** Jobs of one queue run one after the other. */
  queue?: string;
};

/**
 * Adds jobs in one statement, inside the transaction of the caller: they exist if and when it commits. Jobs with keys are
 * added in the order of the keys, so that two transactions never wait for each other.
 */
export async function addJobs(tx: Queryable, jobs: readonly NewJob[]): Promise<void> {
  for (const keepsTime of [false, true]) {
    await addAlike(
      tx,
      jobs.filter((job) => (job.keepsTime ?? false) === keepsTime),
      keepsTime,
    );
  }
}

async function addAlike(tx: Queryable, jobs: readonly NewJob[], keepsTime: boolean): Promise<void> {
  if (jobs.length === 0) return;
  const ordered = jobs.toSorted(({ key: one = '' }, { key: other = '' }) => (one < other ? -1 : 1));
  await tx.$queryRaw`
    SELECT count(*)::int
      FROM graphile_worker.add_jobs(ARRAY(
        SELECT ROW(j.task, j.payload, nullif(j.queue, ''), to_timestamp(j.run_at / 1000), NULL, nullif(j.key, ''), NULL, NULL)::graphile_worker.job_spec
          FROM unnest(${ordered.map(({ task }) => task)}::text[],
                      ${ordered.map(({ payload = {} }) => JSON.stringify(payload))}::json[],
                      ${ordered.map(({ runAtMs = null }) => runAtMs)}::float8[],
                      ${ordered.map(({ key = '' }) => key)}::text[],
                      ${ordered.map(({ queue = '' }) => queue)}::text[])
               WITH ORDINALITY AS j (task, payload, run_at, key, queue, no)
         ORDER BY j.no), ${keepsTime}::bool)`;
}

/** Adds a job that is due in `afterMs`, unless a job with the same key is waiting already. */
export async function ensureJob(db: Queryable, task: string, afterMs: number): Promise<void> {
  await db.$queryRaw`
    SELECT (graphile_worker.add_job(
      ${task}, run_at => now() + make_interval(secs => ${afterMs / 1000}::float8), job_key => ${task},
      job_key_mode => 'preserve_run_at')).id`;
}

/** A process that was not seen for this long is dead, and others take over its jobs. */
const deadAfterSeconds = 15;

/**
 * Records that a process is alive, and releases the jobs of dead processes. Returns how many processes were found dead.
 */
export async function noteLiving(db: Queryable, processId: string, workerIds: readonly string[]): Promise<number> {
  const [row] = await db.$queryRaw<[{ dead: number }]>`
    WITH living AS (
      INSERT INTO job_processes (id, worker_ids, seen_at)
      VALUES (${processId}::uuid, ${workerIds}::text[], now())
      ON CONFLICT (id) DO UPDATE SET worker_ids = EXCLUDED.worker_ids, seen_at = EXCLUDED.seen_at
    ), dead AS (
      DELETE FROM job_processes
       WHERE id IN (SELECT p.id
                      FROM job_processes p
                     WHERE p.seen_at < now() - make_interval(secs => ${deadAfterSeconds}::int)
                       AND p.id <> ${processId}::uuid
                       FOR UPDATE SKIP LOCKED)
      RETURNING worker_ids
    )
    SELECT count(graphile_worker.force_unlock_workers(worker_ids)::text)::int AS dead FROM dead`;
  return row.dead;
}

/** Deletes the record of a stopped process, which has released its jobs itself. */
export async function forgetProcess(db: Database, processId: string): Promise<void> {
  await db.$executeRaw`DELETE FROM job_processes WHERE id = ${processId}::uuid`;
}

export type QueueFigures = {
  /** Jobs that are due and not done. */
  waiting: number;
  /** How long the oldest due job has been due; 0 if there is none. */
  oldestSeconds: number;
  /** Jobs that failed for good. */
  failed: number;
  /** Webhook deliveries that are not done. */
  pendingDeliveries: number;
  /** The bytes of their bodies. */
  pendingDeliveryBytes: number;
  /** Events that no job has routed yet, up to 100,000. */
  waitingEvents: number;
};

/** The figures are read every few seconds, so counting stops here. */
const countedMax = 100_000;

export async function readQueueFigures(db: Queryable): Promise<QueueFigures> {
  const [row] = await db.$queryRaw<[QueueFigures]>`
    SELECT count(*) FILTER (WHERE j.run_at <= now() AND j.attempts < j.max_attempts)::int AS waiting,
           coalesce(extract(epoch FROM now() - min(j.run_at)
                    FILTER (WHERE j.run_at <= now() AND j.attempts < j.max_attempts)), 0)::float8 AS "oldestSeconds",
           count(*) FILTER (WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL)::int AS failed,
           (SELECT coalesce(sum(pending_count), 0)::float8 FROM webhook_endpoints) AS "pendingDeliveries",
           (SELECT coalesce(sum(pending_bytes), 0)::float8 FROM webhook_endpoints) AS "pendingDeliveryBytes",
           (SELECT count(*) FROM (SELECT FROM outbox_events LIMIT ${countedMax}::int) e)::int AS "waitingEvents"
      FROM graphile_worker.jobs j`;
  return row;
}

const failedKeptDays = 7;

/** Deletes jobs that failed for good a week ago. */
export async function removeFailedJobs(db: Pick<Database, '$executeRaw'>): Promise<void> {
  await db.$executeRaw(Prisma.sql`
    SELECT FROM graphile_worker.complete_jobs(ARRAY(
      SELECT id FROM graphile_worker.jobs
       WHERE attempts >= max_attempts AND updated_at < now() - make_interval(days => ${failedKeptDays}::int)
       LIMIT 10000))`);
}
