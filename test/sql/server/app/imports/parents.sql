-- name: matchParents
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, l.parent_id, l.name AS path, 1 AS level
  FROM locations l
  WHERE l.org_id = $1
  AND l.deleted_at IS NULL
  UNION ALL SELECT up.start_id, p.parent_id, p.name || ' › ' || up.path, up.level + 1
  FROM up
  JOIN locations p ON p.org_id = $2
  AND p.id = up.parent_id
  WHERE up.level < $3
),
paths AS (SELECT start_id AS id, path FROM up WHERE parent_id IS NULL), given AS (
  SELECT g.text, fold_case(regexp_replace(g.text, '\s*[>›]\s*|\s+/\s+', ' › ', 'g')) AS path
  FROM (SELECT DISTINCT s.parent_key AS text FROM staged s WHERE s.parent_key IS NOT NULL) g
  WHERE NOT EXISTS (SELECT FROM staged f WHERE f.external_key = g.text)
  AND NOT EXISTS (SELECT FROM locations l WHERE l.org_id = $4 AND l.external_key = g.text AND l.deleted_at IS NULL)
  OFFSET 0
),
stored AS (
  SELECT l.id, l.external_key, l.name
  FROM locations l
  WHERE l.org_id = $5
  AND l.deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM staged f WHERE f.external_key = l.external_key)
),
named AS (
  SELECT f.line, f.external_key AS key, fold_case(regexp_replace(f.parent_key || ' › ' || f.name, '\s*[>›]\s*|\s+/\s+', ' › ',
    'g')) AS path, 1 AS rank
  FROM staged f
  WHERE f.parent_key IS NOT NULL
  AND f.name IS NOT NULL
  UNION ALL SELECT NULL, l.external_key, fold_case(p.path), 1
  FROM paths p
  JOIN stored l ON l.id = p.id
  WHERE p.path <> l.name
  UNION ALL SELECT f.line, f.external_key, fold_case(f.name), 2
  FROM staged f
  WHERE f.name IS NOT NULL
  UNION ALL SELECT NULL, l.external_key, fold_case(l.name), 3
  FROM stored l
  UNION ALL SELECT NULL, l.external_key, fold_case(up.path), 4
  FROM up
  JOIN stored l ON l.id = up.start_id
  WHERE up.level > 1
),
found AS (
  SELECT g.text, n.line, n.key, n.rank, min(n.rank) OVER (PARTITION BY g.text) AS best
  FROM given g
  JOIN named n ON n.path = g.path
) UPDATE staged s
SET parents = f.parents, parent_line = CASE WHEN f.parents = 1
AND f.key IS NULL THEN f.line END, parent_key = CASE WHEN f.parents > 1 THEN s.parent_key ELSE f.key END
FROM (
  SELECT text, min(line) AS line, min(key) AS key, count(*)::int AS parents
  FROM found
  WHERE rank = best
  GROUP BY text
) f
WHERE s.parent_key = f.text;

-- name: missingParents
SELECT s.line, s.parent_key AS text, s.parents
FROM staged s
WHERE s.parent_key IS NOT NULL
AND NOT EXISTS (SELECT FROM staged p WHERE p.external_key = s.parent_key)
AND NOT EXISTS (
  SELECT
  FROM locations l
  WHERE l.org_id = $1
  AND l.external_key = s.parent_key
  AND l.deleted_at IS NULL
)
ORDER BY s.line;
