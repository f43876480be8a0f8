-- name: createListener
SELECT pg_notify($1, $2);

-- name: createListener
SET synchronous_commit = off; LISTEN whereabouts_positions; LISTEN whereabouts_alerts; LISTEN whereabouts_marks;
