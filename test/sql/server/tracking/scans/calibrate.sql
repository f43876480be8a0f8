-- name: start
SELECT pg_advisory_xact_lock_shared($1::int, $2::int)::text;
