-- name: lockAndCheckTree
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;

-- name: lockAndCheckTree
WITH RECURSIVE written AS MATERIALIZED (SELECT coalesce(id, new_id) AS id, line FROM staged WHERE id IS NULL OR row_changes),
  live AS MATERIALIZED (
  SELECT l.id, l.parent_id, w.line
  FROM locations l
  LEFT JOIN written w ON w.id = l.id
  WHERE l.org_id = $1
  AND l.deleted_at IS NULL
),
tree AS (
  SELECT id, 1 AS level, line
  FROM live
  WHERE parent_id IS NULL
  UNION ALL SELECT c.id, t.level + 1, coalesce(c.line, t.line)
  FROM tree t
  JOIN live c ON c.parent_id = t.id
)
SELECT line, true AS is_deep
FROM tree
WHERE level > $2
AND line IS NOT NULL
UNION
SELECT w.line, false
FROM written w
WHERE NOT EXISTS (SELECT FROM tree t WHERE t.id = w.id)
ORDER BY line;
