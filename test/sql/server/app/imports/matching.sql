-- name: matchRows
UPDATE staged s
SET name = t.name, raw_name = NULL
FROM assets t
WHERE s.raw_name IS NOT NULL
AND t.org_id = $1
AND t.external_key = s.external_key
AND t.deleted_at IS NULL
AND t.name = s.raw_name;

-- name: matchRows
UPDATE staged s
SET name = t.name, raw_name = NULL
FROM locations t
WHERE s.raw_name IS NOT NULL
AND t.org_id = $1
AND t.external_key = s.external_key
AND t.deleted_at IS NULL
AND t.name = s.raw_name;

-- name: matchRows
-- further: 11d0364ada 58381f3b84 6475d95d18 6c45e192af 6e362a5756 81b31192be 845243991b 86c8434a05 86cc7fe3f5 87f898e53b 8cd7f299a9 8e7fba1e85
-- further: 8f065f45c0 9bf225e754 a84ac51568 af6ccc0d49 b69ae782b0 ceeb4c55ed cf6fbf6556 da4bdabe27 e190ab4d40 f2c57f3875 f38bef5f5f fbd8caa798
-- further: fe449e5f26

-- name: mergeDetails
UPDATE staged s
SET metadata = (
  SELECT ('{' || string_agg(to_json(key)::text || ':' || value, ',' ORDER BY place, at) || '}')::json
  FROM (
    SELECT coalesce(o.key, d.key) AS key, CASE WHEN d.key IS NULL OR o.value #>> '{}' = d.value #>> '{}' THEN o.value
      ELSE d.value END::text AS value, (o.key IS NULL)::int AS place, coalesce(o.at, d.at) AS at
    FROM json_each(m.known) WITH ORDINALITY AS o (key, value, at)
    FULL JOIN json_each(s.details) WITH ORDINALITY AS d (key, value, at) ON d.key = o.key
  ) merged
)
FROM (
  SELECT s.line, coalesce(s.metadata, '{}') AS known
  FROM staged s
  LEFT JOIN assets t ON t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL
  WHERE s.details IS NOT NULL
) m
WHERE m.line = s.line;

-- name: mergeDetails
UPDATE staged s
SET metadata = (
  SELECT ('{' || string_agg(to_json(key)::text || ':' || value, ',' ORDER BY place, at) || '}')::json
  FROM (
    SELECT coalesce(o.key, d.key) AS key, CASE WHEN d.key IS NULL OR o.value #>> '{}' = d.value #>> '{}' THEN o.value
      ELSE d.value END::text AS value, (o.key IS NULL)::int AS place, coalesce(o.at, d.at) AS at
    FROM json_each(m.known) WITH ORDINALITY AS o (key, value, at)
    FULL JOIN json_each(s.details) WITH ORDINALITY AS d (key, value, at) ON d.key = o.key
  ) merged
)
FROM (
  SELECT s.line, coalesce(t.metadata, '{}') AS known
  FROM staged s
  LEFT JOIN assets t ON t.org_id = $1
  AND t.external_key = s.external_key
  AND t.deleted_at IS NULL
  WHERE s.details IS NOT NULL
) m
WHERE m.line = s.line;

-- name: countEffects
SELECT count(*) FILTER (WHERE id IS NULL)::int AS "toCreate", count(*) FILTER (WHERE id IS NOT NULL AND (row_changes
  OR tags_change OR is_moved OR is_repacked))::int AS "toChange",
  count(*) FILTER (WHERE id IS NOT NULL AND NOT row_changes AND NOT tags_change AND NOT is_moved AND NOT is_repacked)::int AS unchanged
FROM staged
WHERE is_valid;
