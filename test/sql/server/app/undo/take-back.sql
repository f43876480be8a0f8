-- name: deleteEmpty
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;
