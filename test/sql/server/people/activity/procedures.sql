-- name: listActivity
SELECT e.id::text AS id, round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at, e.kind, e.object_id, e.object_name,
  e.action, e.entry_point, e.actor, e.before, e.after, CASE split_part(e.actor, ':', 1) 
  HEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int) 
  HEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = $1 AND k.id = split_part(e.actor, ':',
  2)::uuid) END AS actor_name
FROM (
  SELECT *
  FROM (SELECT * FROM activity_log WHERE org_id = $2 ORDER BY occurred_at DESC, id DESC LIMIT $3) examined
  WHERE kind = ANY($4::text[])
  ORDER BY occurred_at DESC, id DESC
  LIMIT $5
) e
ORDER BY e.occurred_at DESC, e.id DESC;

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
