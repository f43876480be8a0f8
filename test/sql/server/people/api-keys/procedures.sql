-- name: createApiKey
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: requireAdministrator
SELECT role
FROM memberships
WHERE org_id = $1::int
AND user_id = $2::int;
