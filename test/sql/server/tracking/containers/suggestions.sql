-- name: findSuggestions
WITH own AS MATERIALIZED (
  SELECT v.arrived_at, v.location_id
  FROM visits v
  WHERE v.org_id = $1
  AND v.asset_id = $2
  AND v.location_id IS NOT NULL
  AND v.arrived_at >= now() - make_interval(days => $3::int)
  ORDER BY v.arrived_at DESC
  LIMIT $4::int
),
together AS MATERIALIZED (
  SELECT DISTINCT n.asset_id, o.arrived_at, o.location_id
  FROM own o
  CROSS JOIN LATERAL (
    SELECT v.asset_id
    FROM visits v
    WHERE v.org_id = $5
    AND v.location_id = o.location_id
    AND v.asset_id <> $6
    AND v.arrived_at BETWEEN o.arrived_at - interval '1 minute'
    AND o.arrived_at + interval '1 minute'
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = v.org_id
      AND w.asset_id = v.asset_id
      AND w.placed_at = v.arrived_at
      AND w.container_id IS NOT NULL
    )
    OFFSET 0
  ) n
),
candidate AS MATERIALIZED (
  SELECT t.asset_id, count(*)::int AS times, min(t.arrived_at) AS first_at, max(t.arrived_at) AS last_at,
    array_agg(DISTINCT t.location_id) AS location_ids
  FROM together t
  GROUP BY t.asset_id
  HAVING count(*) >= $7::int
)
SELECT json_build_object('id', a.id, 'name', a.name, 'external_key', a.external_key) AS asset, c.times, round(date_part('epoch',
  c.first_at) * 1000) AS first_at, round(date_part('epoch', c.last_at) * 1000) AS last_at, ARRAY(
  SELECT l.name
  FROM locations l
  WHERE l.org_id = $8
  AND l.id = ANY(c.location_ids)
  ORDER BY l.name COLLATE natural_order
  LIMIT $9::int
) AS locations
FROM candidate c
JOIN assets a ON a.org_id = $10
AND a.id = c.asset_id
AND a.deleted_at IS NULL
WHERE c.times = (SELECT count(*) FROM own o WHERE o.arrived_at >= c.first_at)
AND NOT EXISTS (
  SELECT
  FROM visits v
  WHERE v.org_id = $11
  AND v.asset_id = c.asset_id
  AND v.location_id IS NOT NULL
  AND v.arrived_at > c.first_at + interval '1 minute'
  AND NOT EXISTS (
    SELECT
    FROM own o
    WHERE o.location_id = v.location_id
    AND o.arrived_at BETWEEN v.arrived_at - interval '1 minute'
    AND v.arrived_at + interval '1 minute'
  )
)
AND NOT EXISTS (
  SELECT
  FROM asset_containments k
  WHERE k.org_id = $12
  AND k.until IS NULL
  AND (k.asset_id = c.asset_id AND k.container_id = $13 OR k.asset_id = $14 AND k.container_id = c.asset_id)
)
ORDER BY c.times DESC, a.name COLLATE natural_order, a.id
LIMIT $15::int;
