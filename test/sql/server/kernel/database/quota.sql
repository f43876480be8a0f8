-- name: ensureBelowQuota
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: ensureBelowQuota
SELECT count(*) FILTER (WHERE (accepted_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp()))::int AS live,
  count(*) FILTER (WHERE NOT (accepted_at IS NULL AND revoked_at IS NULL AND expires_at > clock_timestamp()))::int AS past
FROM invitations
WHERE org_id = $1::int;

-- name: ensureBelowQuota
SELECT count(*) FILTER (WHERE (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())))::int AS live,
  count(*) FILTER (WHERE NOT (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp())))::int AS past
FROM api_keys
WHERE org_id = $1::int;

-- name: ensureBelowQuota
-- further: ec20889391
