-- name: findPlans
WITH RECURSIVE named AS MATERIALIZED (
  SELECT l.id, l.parent_id, l.name
  FROM floor_plans p
  CROSS JOIN LATERAL (
    SELECT r.id, r.parent_id, r.name, r.external_key
    FROM locations r
    WHERE r.org_id = $1
    AND r.id = p.location_id
    AND r.deleted_at IS NULL
    LIMIT 1
  ) l
  WHERE p.org_id = $2
  AND EXISTS (
    SELECT
    FROM unnest($3::text[]) AS w (word)
    WHERE strpos(fold_case(l.name || ' ' || l.external_key), fold_case(w.word)) > 0
  )
  ORDER BY NOT starts_with(fold_case(l.name), fold_case($4)), l.name COLLATE natural_order, l.id
  LIMIT $5
),
up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.name
  FROM named l
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.name
  FROM up
  JOIN locations p ON p.org_id = $6
  AND p.id = up.parent_id
  AND p.deleted_at IS NULL
),
paths AS (
  SELECT start_id AS start, coalesce(array_agg(name ORDER BY distance DESC) FILTER (WHERE distance > 0), '{}') AS path
  FROM up
  GROUP BY start_id
)
SELECT l.id, l.external_key, l.name, paths.path
FROM paths
JOIN locations l ON l.org_id = $7
AND l.id = paths.start
WHERE NOT EXISTS (
  SELECT
  FROM unnest($8::text[]) AS w (word)
  WHERE strpos(fold_case(array_to_string(paths.path || l.name || l.external_key, ' ')), fold_case(w.word)) = 0
)
ORDER BY NOT starts_with(fold_case(l.name), fold_case($9)), cardinality(paths.path), l.name COLLATE natural_order, l.external_key
LIMIT $10;

-- name: findPlans
-- further: 245fb79f88
