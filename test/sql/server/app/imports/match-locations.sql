-- name: matchLocations
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
paths AS (SELECT start_id AS id, path FROM up WHERE parent_id IS NULL), names AS (
  SELECT l.id, l.external_key AS text, 1 AS rank
  FROM locations l
  WHERE l.org_id = $4
  AND l.deleted_at IS NULL
  UNION ALL SELECT id, fold_case(path), 2
  FROM paths
  UNION ALL SELECT l.id, fold_case(l.name), 3
  FROM locations l
  WHERE l.org_id = $5
  AND l.deleted_at IS NULL
  UNION ALL SELECT start_id, fold_case(path), 4
  FROM up
  WHERE level > 1
),
found AS (
  SELECT s.given, n.id, n.rank, min(n.rank) OVER (PARTITION BY s.given) AS best
  FROM (
    SELECT given, fold_case(given) AS name, fold_case(regexp_replace(given, '\s*[>›]\s*|\s+/\s+', ' › ', 'g')) AS path
    FROM (SELECT DISTINCT belongs_to AS given FROM staged WHERE is_valid AND belongs_to IS NOT NULL) named
    OFFSET 0
  ) s
  JOIN names n ON n.text = CASE n.rank WHEN 1 THEN s.given WHEN 3 THEN s.name ELSE s.path END
) UPDATE staged s
SET belongs_to_id = f.id, belongs_to_found = f.found
FROM (SELECT given, min(id) AS id, count(*)::int AS found FROM found WHERE rank = best GROUP BY given) f
WHERE s.belongs_to = f.given;

-- name: matchLocations
-- further: 27b6aba809
