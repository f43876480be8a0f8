-- name: findDeleted
SELECT d.kind, d.id, d.external_key, d.name, round(date_part('epoch', d.deleted_at) * 1000) AS deleted_at, e.entry_point, e.actor,
  CASE split_part(e.actor, ':', 1) WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int)
  WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = $1 AND k.id = split_part(e.actor, ':',
  2)::uuid) END AS actor_name
FROM (
  SELECT *
  FROM ((
    SELECT $2::text AS kind, r.id, r.external_key, r.name, r.deleted_at
    FROM assets r
    WHERE r.org_id = $3
    AND r.deleted_at > clock_timestamp() - interval '30 days'
    AND (r.deleted_at, r.id) < (to_timestamp($4::float8 / 1000), $5::int)
    ORDER BY r.deleted_at DESC, r.id DESC
    LIMIT $6
  ) UNION ALL (
    SELECT $7::text AS kind, r.id, r.external_key, r.name, r.deleted_at
    FROM locations r
    WHERE r.org_id = $8
    AND r.deleted_at > clock_timestamp() - interval '30 days'
    AND r.deleted_at < to_timestamp($9::float8 / 1000)
    ORDER BY r.deleted_at DESC, r.id DESC
    LIMIT $10
  )) both_kinds
  ORDER BY deleted_at DESC, kind DESC, id DESC
  LIMIT $11
) d
LEFT JOIN LATERAL (
  SELECT l.entry_point, l.actor
  FROM activity_log l
  WHERE l.org_id = $12
  AND l.kind = d.kind
  AND l.object_id = d.id::text
  AND l.action = 'deleted'
  ORDER BY l.occurred_at DESC, l.id DESC
  LIMIT 1
) e ON true
ORDER BY d.deleted_at DESC, d.kind DESC, d.id DESC;

-- name: findDeleted
-- further: 0054ad2760 805a3316cc
