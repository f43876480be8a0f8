-- name: createPresence
SELECT pg_cancel_backend(id)
FROM unnest($1::int[]) AS id;
