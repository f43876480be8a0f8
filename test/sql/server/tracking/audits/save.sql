-- name: saveAudit
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: saveAudit
SELECT name
FROM locations
WHERE org_id = $1
AND id = $2;
