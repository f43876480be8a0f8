-- name: findApiKey
SELECT org_id, scopes, (extract(epoch FROM expires_at) * 1000)::float8 AS expires_at, revoked_at IS NOT NULL AS is_revoked,
  (last_used_at IS NULL OR last_used_at <= clock_timestamp() - interval '1 minute') AS is_use_due
FROM api_keys
WHERE id = $1::uuid;

-- name: findHoldingSessions
SELECT g.ordinal::int AS ordinal, m.role
FROM unnest($1::uuid[], $2::int[], $3::int[]) WITH ORDINALITY AS g (session_id, user_id, org_id, ordinal)
JOIN sessions s ON s.id = g.session_id
AND s.user_id = g.user_id
AND s.revoked_at IS NULL
JOIN memberships m ON m.user_id = g.user_id
AND m.org_id = g.org_id;
