-- name: ensureBelowQuota
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: ensureBelowQuota
SELECT count(*) FILTER (WHERE (accepted_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp()))::int AS live,
  count(*) FILTER (WHERE NOT (accepted_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp()))::int AS past
FROM invitations
WHERE org_id = $1::int;

-- name: ensureBelowQuota
-- further: 09aab166b4 ec20889391
