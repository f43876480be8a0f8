-- name: listActors
WITH authors (kind, id) AS (
  SELECT 'user', user_id::text
  FROM memberships
  WHERE org_id = $1
  UNION ALL SELECT 'key', id::text
  FROM api_keys
  WHERE org_id = $2
) (
  SELECT 'user:' || u.id AS value, u.name, 'user' AS kind
  FROM authors a
  JOIN users u ON u.id = a.id::int
  WHERE a.kind = 'user'
  ORDER BY u.name COLLATE natural_order, u.id
  LIMIT $3
)
UNION ALL (
  SELECT 'key:' || k.id, k.name, 'key'
  FROM authors a
  JOIN api_keys k ON k.org_id = $4
  AND k.id = a.id::uuid
  WHERE a.kind = 'key'
  ORDER BY k.name COLLATE natural_order, k.id
  LIMIT $5
);

-- name: listActors
WITH authors (kind, id) AS (
  SELECT DISTINCT split_part(actor, ':', 1), split_part(actor, ':', 2)
  FROM (
    SELECT kind, actor
    FROM activity_log
    WHERE org_id = $1
    ORDER BY occurred_at DESC, id DESC
    LIMIT $2
  ) examined
  WHERE kind = ANY($3::text[])
  AND actor IS NOT NULL
) (
  SELECT 'user:' || u.id AS value, u.name, 'user' AS kind
  FROM authors a
  JOIN users u ON u.id = a.id::int
  WHERE a.kind = 'user'
  ORDER BY u.name COLLATE natural_order, u.id
  LIMIT $4
)
UNION ALL (
  SELECT 'key:' || k.id, k.name, 'key'
  FROM authors a
  JOIN api_keys k ON k.org_id = $5
  AND k.id = a.id::uuid
  WHERE a.kind = 'key'
  ORDER BY k.name COLLATE natural_order, k.id
  LIMIT $6
);
