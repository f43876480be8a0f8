-- name: listLevelRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT *
  FROM locations r
  WHERE r.org_id = $1
  AND r.parent_id = $2
  AND r.deleted_at IS NULL
  ORDER BY r.name COLLATE natural_order, r.id
  LIMIT $3
  OFFSET $4
),
counts AS (
  SELECT (
    SELECT count(*)::float8
    FROM locations r
    WHERE r.org_id = $5
    AND r.parent_id = $6
    AND r.deleted_at IS NULL
  ) AS total_count
),
down AS (
  SELECT l.id AS top, l.id
  FROM page l
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $7
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
),
counted AS (
  SELECT c.top, sum(c.n) FILTER (WHERE c.id = c.top)::float8 AS here, sum(c.n)::float8 AS below
  FROM (
    SELECT d.top, d.id, (
      SELECT count(*)
      FROM asset_positions p
      WHERE p.org_id = $8
      AND p.location_id = d.id
      AND p.hidden_by IN (0, 2)
    ) AS n
    FROM down d
  ) c
  GROUP BY c.top
)
SELECT counts.*, r.id, r.external_key, r.name, r.parent_id, r.is_active, api_timestamp(r.updated_at) AS updated_at, (
  SELECT count(*)::float8
  FROM locations c
  WHERE c.org_id = $9
  AND c.parent_id = r.id
  AND c.deleted_at IS NULL
) AS children_count, counted.here AS assets_here, counted.below AS assets_below
FROM counts
LEFT JOIN (page r JOIN counted ON counted.top = r.id) ON true
ORDER BY r.name COLLATE natural_order, r.id;

-- name: listLevelRows
-- further: 438d9388b2
