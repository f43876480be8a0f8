-- name: insertApiKey
INSERT INTO api_keys AS k (id, org_id, name, scopes, created_by, created_at, expires_at)
VALUES ($1::uuid, $2::int, $3, $4::text[], $5::int, date_trunc('milliseconds', clock_timestamp()),
  to_timestamp($6::float8 / 1000))
RETURNING k.id::text AS id, k.name, k.scopes, api_timestamp(k.created_at) AS created_at, api_timestamp(k.expires_at) AS expires_at,
  api_timestamp(k.last_used_at) AS last_used_at, api_timestamp(k.revoked_at) AS revoked_at, (
  SELECT json_build_object('user_id', u.id, 'name', u.name, 'is_member',
    EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = u.id))
  FROM users u
  WHERE u.id = k.created_by
) AS created_by;

-- name: findApiKeys
SELECT k.id::text AS id, k.name, k.scopes, api_timestamp(k.created_at) AS created_at, api_timestamp(k.expires_at) AS expires_at,
  api_timestamp(k.last_used_at) AS last_used_at, api_timestamp(k.revoked_at) AS revoked_at, (
  SELECT json_build_object('user_id', u.id, 'name', u.name, 'is_member',
    EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = u.id))
  FROM users u
  WHERE u.id = k.created_by
) AS created_by
FROM api_keys k
WHERE k.org_id = $1::int
ORDER BY k.created_at DESC, k.id
LIMIT $2::int
OFFSET $3::int;

-- name: lockApiKey
SELECT k.id::text AS id, k.name, k.scopes, api_timestamp(k.created_at) AS created_at, api_timestamp(k.expires_at) AS expires_at,
  api_timestamp(k.last_used_at) AS last_used_at, api_timestamp(k.revoked_at) AS revoked_at, (
  SELECT json_build_object('user_id', u.id, 'name', u.name, 'is_member',
    EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = u.id))
  FROM users u
  WHERE u.id = k.created_by
) AS created_by
FROM api_keys k
WHERE k.org_id = $1::int
AND k.id = $2::uuid
FOR NO KEY UPDATE;

-- name: revokeKey
UPDATE api_keys k
SET revoked_at = date_trunc('milliseconds', clock_timestamp())
WHERE k.org_id = $1::int
AND k.id = $2::uuid
RETURNING k.id::text AS id, k.name, k.scopes, api_timestamp(k.created_at) AS created_at, api_timestamp(k.expires_at) AS expires_at,
  api_timestamp(k.last_used_at) AS last_used_at, api_timestamp(k.revoked_at) AS revoked_at, (
  SELECT json_build_object('user_id', u.id, 'name', u.name, 'is_member',
    EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = u.id))
  FROM users u
  WHERE u.id = k.created_by
) AS created_by;

-- name: findKeysOf
SELECT k.id::text AS id, k.name, k.scopes, api_timestamp(k.created_at) AS created_at, api_timestamp(k.expires_at) AS expires_at,
  api_timestamp(k.last_used_at) AS last_used_at, api_timestamp(k.revoked_at) AS revoked_at, (
  SELECT json_build_object('user_id', u.id, 'name', u.name, 'is_member',
    EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = u.id))
  FROM users u
  WHERE u.id = k.created_by
) AS created_by
FROM api_keys k
WHERE k.org_id = $1::int
AND k.created_by = $2::int
AND (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()))
ORDER BY k.created_at DESC, k.id;

-- name: findFormerCreators
SELECT u.id AS user_id, u.name, count(*)::int AS active_keys
FROM api_keys k
JOIN users u ON u.id = k.created_by
WHERE k.org_id = $1::int
AND (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()))
AND NOT EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = k.created_by)
GROUP BY u.id, u.name
ORDER BY u.name COLLATE natural_order, u.id;

-- name: revokeKeysOf
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: revokeKeysOf
WITH chosen AS (
  SELECT k.id, k.name
  FROM api_keys k
  WHERE k.org_id = $1::int
  AND k.created_by = $2::int
  AND (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()))
  ORDER BY k.id
  FOR NO KEY UPDATE
),
revoked AS (
  UPDATE api_keys k
  SET revoked_at = date_trunc('milliseconds', clock_timestamp())
  FROM chosen
  WHERE k.id = chosen.id
  RETURNING k.id, k.name
),
logged AS (
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor)
  SELECT $3::int, date_trunc('milliseconds', clock_timestamp()), 'api_key', id::text, name, 'revoked', $4, $5
  FROM revoked
)
SELECT id::text AS id
FROM revoked;
