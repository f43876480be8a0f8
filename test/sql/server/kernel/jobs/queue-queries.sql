-- name: addAlike
SELECT count(*)::int
FROM graphile_worker.add_jobs(ARRAY(
  SELECT ROW(j.task, j.payload, nullif(j.queue, ''), to_timestamp(j.run_at / 1000), NULL, nullif(j.key, ''), NULL,
    NULL)::graphile_worker.job_spec
  FROM unnest($1::text[], $2::json[], $3::float8[], $4::text[], $5::text[]) WITH ORDINALITY AS j (task, payload, run_at, key,
    queue, no)
  ORDER BY j.no
), $6::bool);

-- name: ensureJob
SELECT (graphile_worker.add_job($1, run_at => now() + make_interval(secs => $2::float8), job_key => $3,
  job_key_mode => 'preserve_run_at')).id;

-- name: noteLiving
WITH living AS (
  INSERT INTO job_processes (id, worker_ids, seen_at)
  VALUES ($1::uuid, $2::text[], now()) ON CONFLICT (id) DO UPDATE
  SET worker_ids = EXCLUDED.worker_ids, seen_at = EXCLUDED.seen_at
),
dead AS (
  DELETE FROM job_processes
  WHERE id IN (
    SELECT p.id
    FROM job_processes p
    WHERE p.seen_at < now() - make_interval(secs => $3::int)
    AND p.id <> $4::uuid
    FOR UPDATE SKIP LOCKED
  )
  RETURNING worker_ids
)
SELECT count(graphile_worker.force_unlock_workers(worker_ids)::text)::int AS dead
FROM dead;

-- name: forgetProcess
DELETE FROM job_processes
WHERE id = $1::uuid;

-- name: readQueueFigures
SELECT count(*) FILTER (WHERE j.run_at <= now() AND j.attempts < j.max_attempts)::int AS waiting,
  coalesce(extract(epoch FROM now() - min(j.run_at) FILTER (WHERE j.run_at <= now() AND j.attempts < j.max_attempts)),
  0)::float8 AS "oldestSeconds", count(*) FILTER (WHERE j.attempts >= j.max_attempts AND j.locked_at IS NULL)::int AS failed,
  (SELECT coalesce(sum(pending_count), 0)::float8 FROM webhook_endpoints) AS "pendingDeliveries",
  (SELECT coalesce(sum(pending_bytes), 0)::float8 FROM webhook_endpoints) AS "pendingDeliveryBytes",
  (SELECT count(*) FROM (SELECT FROM outbox_events LIMIT $1::int) e)::int AS "waitingEvents"
FROM graphile_worker.jobs j;

-- name: removeFailedJobs
SELECT
FROM graphile_worker.complete_jobs(ARRAY(
  SELECT id
  FROM graphile_worker.jobs
  WHERE attempts >= max_attempts
  AND updated_at < now() - make_interval(days => $1::int)
  LIMIT 10000
));
