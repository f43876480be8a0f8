-- name: doubles
WITH single AS (
  SELECT s.*
  FROM staged s
  WHERE s.is_valid
  AND s.external_key IS NULL
  AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line)
),
known AS (
  SELECT min(t.external_key) AS key, coalesce(t.name::text,
    '') AS value_0,coalesce((SELECT p.external_key FROM locations p WHERE p.org_id = t.org_id AND p.id = t.parent_id),
    '') AS value_1
  FROM locations t
  WHERE t.org_id = $1
  AND t.deleted_at IS NULL
  AND t.name IN (SELECT name FROM single)
  GROUP BY value_0, value_1
)
SELECT s.line, known.key
FROM single s
JOIN known ON coalesce(s.name::text, '') = known.value_0
AND coalesce('#' || s.parent_line, s.parent_key, '') = known.value_1
ORDER BY s.line;

-- name: doubles
WITH single AS (
  SELECT s.*
  FROM staged s
  WHERE s.is_valid
  AND s.external_key IS NULL
  AND NOT EXISTS (SELECT FROM staged_tags g WHERE g.line = s.line)
),
known AS (
  SELECT min(t.external_key) AS key, coalesce(t.name::text, '') AS value_0
  FROM assets t
  WHERE t.org_id = $1
  AND t.deleted_at IS NULL
  AND t.name IN (SELECT name FROM single)
  GROUP BY value_0
)
SELECT s.line, known.key
FROM single s
JOIN known ON coalesce(s.name::text, '') = known.value_0
ORDER BY s.line;

-- name: doubles
-- further: 10c27613a8 27300b2bf4 348ab69fd5 458299e7a5 528b3bc70f 62b36fd133 62cedf4cd9 6b89802afa 7ea1734863 b4d6a4af8f e6395f68ff ebb48782da

-- name: respelledKeys
SELECT s.line, s.external_key AS key, min(k.external_key) AS other
FROM staged s
JOIN (
  SELECT external_key, 0 AS line
  FROM assets
  WHERE org_id = $1
  AND deleted_at IS NULL
  UNION ALL SELECT external_key, line
  FROM staged
) k ON lower(k.external_key) = lower(s.external_key)
AND k.external_key <> s.external_key
AND k.line < s.line
WHERE s.id IS NULL
GROUP BY s.line, s.external_key
ORDER BY s.line;

-- name: respelledKeys
SELECT s.line, s.external_key AS key, min(k.external_key) AS other
FROM staged s
JOIN (
  SELECT external_key, 0 AS line
  FROM locations
  WHERE org_id = $1
  AND deleted_at IS NULL
  UNION ALL SELECT external_key, line
  FROM staged
) k ON lower(k.external_key) = lower(s.external_key)
AND k.external_key <> s.external_key
AND k.line < s.line
WHERE s.id IS NULL
GROUP BY s.line, s.external_key
ORDER BY s.line;

-- name: respelledTags
WITH given AS (
  SELECT g.line, g.ordinal, g.tag_type, g.value, g.is_new, tag_normal_form(g.tag_type, g.value) AS form
  FROM staged_tags g
),
pairs AS (
  SELECT g.line, g.ordinal, g.tag_type, g.value, t.value AS other, CASE WHEN a.id IS NULL THEN 'location ' || l.external_key
    ELSE 'asset ' || a.external_key END AS at
  FROM given g
  JOIN tags t ON t.org_id = $1
  AND t.tag_type = g.tag_type
  AND t.deleted_at IS NULL
  AND tag_normal_form(t.tag_type, t.value) = g.form
  AND t.value <> g.value
  LEFT JOIN assets a ON a.org_id = $2
  AND a.id = t.asset_id
  LEFT JOIN locations l ON l.org_id = $3
  AND l.id = t.location_id
  WHERE g.is_new
  AND NOT EXISTS (SELECT FROM staged o WHERE o.id = t.asset_id)
  UNION ALL SELECT line, ordinal, tag_type, value, other, 'line ' || at
  FROM (
    SELECT g.*, first_value(g.value) OVER forms AS other, first_value(g.line) OVER forms AS at
    FROM given g
    WINDOW forms AS (PARTITION BY g.tag_type, g.form ORDER BY g.line, g.ordinal)
  ) first
  WHERE value <> other
  AND is_new
)
SELECT DISTINCT ON (line, ordinal) line, tag_type, value, other, at
FROM pairs
ORDER BY line, ordinal;

-- name: respelledTags
-- further: 666564cd08

-- name: otherLocations
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, l.parent_id, l.name AS path, 1 AS level
  FROM locations l
  WHERE l.org_id = $1
  AND $2 = 'location'
  UNION ALL SELECT up.start_id, p.parent_id, p.name || ' › ' || up.path, up.level + 1
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
  WHERE up.level < $4
),
paths AS (SELECT start_id AS id, path FROM up WHERE parent_id IS NULL)
SELECT s.line, coalesce(s.location_key, '') AS says, l.external_key AS stored
FROM staged s
LEFT JOIN asset_positions p ON p.org_id = $5
AND p.asset_id = s.id
LEFT JOIN locations l ON l.org_id = $6
AND l.id = p.location_id
LEFT JOIN paths ON paths.id = l.id
WHERE s.is_valid
AND coalesce(s.location_key, '') <> coalesce(l.external_key, '')
AND ($7 = 'location_external_key' OR fold_case(coalesce(s.location_key, '')) <> ALL (ARRAY[fold_case(coalesce(l.name, '')),
  fold_case(coalesce(paths.path, ''))]))
ORDER BY s.line;
