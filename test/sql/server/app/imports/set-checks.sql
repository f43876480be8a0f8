-- name: largeDetails
SELECT line
FROM staged
WHERE details IS NOT NULL
AND octet_length(metadata::text) > $1
ORDER BY line;

-- name: repeatedKeys
SELECT s.line, s.external_key AS key, f.line AS first
FROM (
  SELECT external_key, min(line) AS line
  FROM staged
  WHERE external_key IS NOT NULL
  GROUP BY external_key
  HAVING count(*) > 1
) f
JOIN staged s ON s.external_key = f.external_key
AND s.line > f.line
ORDER BY s.line;

-- name: repeatedTags
SELECT line, tag_type, value, first
FROM (
  SELECT g.line, g.tag_type, g.value, g.ordinal, first_value(g.line) OVER pairs AS first, row_number() OVER pairs AS n
  FROM staged_tags g
  WINDOW pairs AS (PARTITION BY g.tag_type, g.value ORDER BY g.line, g.ordinal)
) numbered
WHERE n > 1
ORDER BY line, ordinal;

-- name: takenTags
SELECT g.line, g.tag_type, g.value
FROM staged_tags g
JOIN tags t ON t.org_id = $1
AND t.tag_type = g.tag_type
AND t.value = g.value
AND t.deleted_at IS NULL
WHERE NOT EXISTS (SELECT FROM staged o WHERE o.id = t.asset_id)
ORDER BY g.line, g.ordinal;

-- name: takenTags
SELECT g.line, g.tag_type, g.value
FROM staged_tags g
JOIN tags t ON t.org_id = $1
AND t.tag_type = g.tag_type
AND t.value = g.value
AND t.deleted_at IS NULL
WHERE NOT EXISTS (SELECT FROM staged o WHERE o.id = t.location_id)
ORDER BY g.line, g.ordinal;

-- name: misplaced
WITH RECURSIVE tree AS MATERIALIZED (
  SELECT s.line, coalesce(s.external_key, '#' || s.line) AS key, coalesce('#' || s.parent_line, s.parent_key) AS parent_key, CASE
    WHEN s.id IS NULL OR s.row_changes THEN s.line END AS changed_line
  FROM staged s
  WHERE s.is_valid
  UNION ALL SELECT NULL, l.external_key, p.external_key, NULL
  FROM locations l
  LEFT JOIN locations p ON p.org_id = l.org_id
  AND p.id = l.parent_id
  AND p.deleted_at IS NULL
  WHERE l.org_id = $1
  AND l.deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM staged s WHERE s.external_key = l.external_key AND s.is_valid)
),
reached AS (
  SELECT t.key, 1 AS level, t.changed_line
  FROM tree t
  LEFT JOIN tree p ON p.key = t.parent_key
  WHERE p.key IS NULL
  UNION
  SELECT t.key, r.level + 1, coalesce(t.changed_line, r.changed_line)
  FROM reached r
  JOIN tree t ON t.parent_key = r.key
  WHERE r.level <= $2
)
SELECT t.line, t.key, t.parent_key, false AS is_deep
FROM tree t
WHERE NOT EXISTS (SELECT FROM reached r WHERE r.key = t.key)
UNION ALL SELECT r.changed_line, NULL, NULL, true
FROM reached r
WHERE r.level > $3
AND r.changed_line IS NOT NULL
GROUP BY r.changed_line;
