-- name: listUnseenRows
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND true
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND true
),
matched AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT p.asset_id, p.location_id, (
      SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
      FROM asset_placements w
      WHERE w.org_id = $4
      AND w.asset_id = p.asset_id
      AND w.placed_at = p.asset_last_seen
    ) AS asset_last_seen
    FROM asset_positions p
    WHERE p.org_id = $5
    AND p.hidden_by IN (0, 2)
    AND p.asset_last_seen < to_timestamp($6::float8 / 1000)
    AND p.listed_at < to_timestamp($7::float8 / 1000)
    AND p.location_id = ANY (ARRAY(SELECT d.id FROM down d))
    UNION ALL SELECT p.asset_id, p.location_id, w.seen_before
    FROM asset_placements w
    JOIN asset_positions p ON p.org_id = w.org_id
    AND p.asset_id = w.asset_id
    AND p.asset_last_seen = w.placed_at
    WHERE w.org_id = $8
    AND p.hidden_by IN (0, 2)
    AND w.placed_at >= to_timestamp($9::float8 / 1000)
    AND coalesce(w.seen_before < to_timestamp($10::float8 / 1000), true)
    AND p.location_id = ANY (ARRAY(SELECT d.id FROM down d))
  ) u
),
page AS MATERIALIZED (SELECT * FROM matched u ORDER BY u.asset_last_seen NULLS FIRST, u.asset_id LIMIT $11 OFFSET $12),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, u.asset_id AS id, a.external_key, a.name, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name',
  l.name) END AS location, round(date_part('epoch', u.asset_last_seen) * 1000) AS last_seen
FROM counts
LEFT JOIN (page u JOIN assets a ON a.org_id = $13 AND a.id = u.asset_id LEFT JOIN locations l ON l.org_id = $14 AND l.id = u.location_id) ON true
ORDER BY u.asset_last_seen NULLS FIRST, u.asset_id;

-- name: listUnseenRows
-- further: cba76a9535

-- name: countUnseen
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND true
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND true
),
unseen AS (
  SELECT p.asset_id, p.location_id, (
    SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
    FROM asset_placements w
    WHERE w.org_id = $4
    AND w.asset_id = p.asset_id
    AND w.placed_at = p.asset_last_seen
  ) AS asset_last_seen
  FROM asset_positions p
  WHERE p.org_id = $5
  AND p.hidden_by IN (0, 2)
  AND p.asset_last_seen < to_timestamp($6::float8 / 1000)
  AND p.listed_at < to_timestamp($7::float8 / 1000)
  AND p.location_id = ANY (ARRAY(SELECT d.id FROM down d))
  UNION ALL SELECT p.asset_id, p.location_id, w.seen_before
  FROM asset_placements w
  JOIN asset_positions p ON p.org_id = w.org_id
  AND p.asset_id = w.asset_id
  AND p.asset_last_seen = w.placed_at
  WHERE w.org_id = $8
  AND p.hidden_by IN (0, 2)
  AND w.placed_at >= to_timestamp($9::float8 / 1000)
  AND coalesce(w.seen_before < to_timestamp($10::float8 / 1000), true)
  AND p.location_id = ANY (ARRAY(SELECT d.id FROM down d))
)
SELECT CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name) END AS location, u.n::float8 AS assets
FROM (SELECT location_id, count(*) AS n FROM unseen GROUP BY 1) u
LEFT JOIN locations l ON l.org_id = $11
AND l.id = u.location_id
ORDER BY u.n DESC, u.location_id
LIMIT $12::int;

-- name: countUnseen
-- further: 696f906e22
