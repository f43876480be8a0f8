-- name: traverseTree
WITH RECURSIVE down AS (
  SELECT l.id, ARRAY[lower(l.external_key), lpad(l.id::text, 10, '0')] COLLATE "C" AS path
  FROM locations l
  WHERE l.org_id = $1
  AND l.parent_id = $2
  AND l.deleted_at IS NULL
  UNION ALL SELECT c.id, down.path || ARRAY[lower(c.external_key), lpad(c.id::text, 10, '0')] COLLATE "C"
  FROM down
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = down.id
  AND c.deleted_at IS NULL
),
walked AS (SELECT id, row_number() OVER (ORDER BY path COLLATE "C") AS ordinal FROM down),
  page AS MATERIALIZED (SELECT * FROM walked ORDER BY ordinal LIMIT $4 OFFSET $5), counts AS (
  SELECT (SELECT count(*)::float8 FROM walked) AS total_count
  FROM locations l
  WHERE l.org_id = $6
  AND l.id = $7
  AND l.deleted_at IS NULL
)
SELECT counts.*, l.id, l.external_key, l.name, l.description, l.parent_id,
  (SELECT p.external_key FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_external_key, l.is_active,
  round(date_part('epoch', l.valid_from) * 1000) AS valid_from, round(date_part('epoch', l.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', l.created_at) * 1000) AS created_at, round(date_part('epoch', l.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = l.org_id
  AND t.location_id = l.id
) AS tags
FROM counts
LEFT JOIN (page JOIN locations l ON l.id = page.id AND l.org_id = $8) ON true
ORDER BY page.ordinal;

-- name: traverseTree
-- further: 2fd8509479 96162ed89a

-- name: countDescendants
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND l.deleted_at IS NULL
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
)
SELECT count(*)::int AS n
FROM down
WHERE id <> $4;

-- name: rejectTooDeep
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
),
down AS (
  SELECT $4::int AS id, 1 AS level
  UNION ALL SELECT c.id, down.level + 1
  FROM down
  JOIN locations c ON c.org_id = $5
  AND c.parent_id = down.id
  AND c.deleted_at IS NULL
  WHERE down.level < $6
)
SELECT (SELECT max(distance) + 1 FROM up) + (SELECT max(level) FROM down) AS levels;

-- name: isInSubtree
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
)
SELECT 1
FROM up
WHERE id = $4;
