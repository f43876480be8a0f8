-- name: findContainments
SELECT l.id::text AS entry_id, a.id AS asset_id, (l.before ->> 'container_id')::int AS before_id, coalesce(b.name,
  l.before ->> 'container') AS before_name, (l.after ->> 'container_id')::int AS after_id, c.id AS present_id, (EXISTS (
  SELECT
  FROM activity_log w
  WHERE w.org_id = l.org_id
  AND w.kind = l.kind
  AND w.object_id = l.object_id
  AND w.action IN ('put_in', 'taken_out')
  AND (w.occurred_at, w.id) > (l.occurred_at, l.id)
  AND w.batch_id = l.batch_id
) AND (
  SELECT w.batch_id IS DISTINCT FROM l.batch_id
  AND w.batch_id IS DISTINCT FROM $1::uuid
  FROM activity_log w
  WHERE w.org_id = l.org_id
  AND w.kind = l.kind
  AND w.object_id = l.object_id
  AND w.action IN ('put_in', 'taken_out')
  AND (w.occurred_at, w.id) > (l.occurred_at, l.id)
  ORDER BY w.occurred_at DESC, w.id DESC
  LIMIT 1
)) AS is_overtaken
FROM unnest($2::float8[], $3::text[]) AS k (ms, id)
JOIN activity_log l ON l.org_id = $4
AND l.occurred_at = to_timestamp(k.ms / 1000)
AND l.id = k.id::bigint
JOIN assets a ON a.org_id = $5
AND a.id = l.object_id::int
LEFT JOIN assets b ON b.org_id = $6
AND b.id = (l.before ->> 'container_id')::int
LEFT JOIN asset_containments h ON h.org_id = $7
AND h.asset_id = a.id
AND h.until IS NULL
LEFT JOIN assets c ON c.org_id = $8
AND c.id = h.container_id
AND c.deleted_at IS NULL
ORDER BY l.occurred_at DESC, l.id DESC;
