-- name: identifyTransaction
SELECT pg_backend_pid() AS "processId", now()::text AS "startedAt";

-- name: cancelTransaction
SELECT pg_cancel_backend(pid)
FROM pg_stat_activity
WHERE pid = $1::int
AND xact_start = $2::timestamptz;
