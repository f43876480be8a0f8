-- name: createApiKey
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: requireAdministrator
SELECT role
FROM memberships
WHERE org_id = $1::int
AND user_id = $2::int;

-- name: listApiKeys
SELECT k.id::text AS id, k.name, k.scopes, round(date_part('epoch', k.created_at) * 1000) AS created_at, round(date_part('epoch',
  k.expires_at) * 1000) AS expires_at, round(date_part('epoch', k.last_used_at) * 1000) AS last_used_at, round(date_part('epoch',
  k.revoked_at) * 1000) AS revoked_at, (
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

-- name: listKeysOfMember
SELECT k.id::text AS id, k.name, k.scopes, round(date_part('epoch', k.created_at) * 1000) AS created_at, round(date_part('epoch',
  k.expires_at) * 1000) AS expires_at, round(date_part('epoch', k.last_used_at) * 1000) AS last_used_at, round(date_part('epoch',
  k.revoked_at) * 1000) AS revoked_at, (
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

-- name: listFormerCreators
SELECT u.id AS user_id, u.name, count(*)::int AS active_keys
FROM api_keys k
JOIN users u ON u.id = k.created_by
WHERE k.org_id = $1::int
AND (revoked_at IS NULL AND (expires_at IS NULL OR expires_at > clock_timestamp()))
AND NOT EXISTS (SELECT FROM memberships m WHERE m.org_id = k.org_id AND m.user_id = k.created_by)
GROUP BY u.id, u.name
ORDER BY u.name COLLATE natural_order, u.id;
