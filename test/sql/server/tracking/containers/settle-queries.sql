-- name: findHeldContainer
SELECT p.location_id, round(date_part('epoch', p.located_since) * 1000) AS since, p.locating
FROM assets a
LEFT JOIN asset_positions p ON p.org_id = a.org_id
AND p.asset_id = a.id
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL;

-- name: findHeldContents
WITH own AS MATERIALIZED (
  SELECT v.location_id, v.arrived_at, coalesce(v.left_at, 'infinity') AS left_at
  FROM visits v
  WHERE v.org_id = $1
  AND v.asset_id = $2
  ORDER BY v.arrived_at DESC
  LIMIT $3::int
)
SELECT k.asset_id, p.location_id, round(date_part('epoch', p.located_since) * 1000) AS since, p.locating, round(date_part('epoch',
  t.apart_at) * 1000) AS apart_at, t.was_left, EXISTS (
  SELECT
  FROM asset_placements w
  WHERE w.org_id = k.org_id
  AND w.asset_id = k.asset_id
  AND w.placed_at = p.located_since
  AND w.with_contents
) AS with_contents
FROM asset_containments k
JOIN assets a ON a.org_id = k.org_id
AND a.id = k.asset_id
AND a.deleted_at IS NULL
LEFT JOIN asset_positions p ON p.org_id = k.org_id
AND p.asset_id = k.asset_id
LEFT JOIN asset_positions c ON c.org_id = k.org_id
AND c.asset_id = k.container_id
LEFT JOIN LATERAL (
  SELECT least(x.left_at, o.left_at) AS apart_at, o.left_at <= x.left_at AS was_left
  FROM (
    SELECT v.location_id, v.arrived_at, coalesce(v.left_at, 'infinity') AS left_at
    FROM visits v
    WHERE v.org_id = $4
    AND v.asset_id = k.asset_id
    ORDER BY v.arrived_at DESC
    LIMIT $5::int
  ) x
  JOIN own o ON o.location_id = x.location_id
  AND o.arrived_at < x.left_at
  AND x.arrived_at < o.left_at
  WHERE p.location_id IS DISTINCT FROM c.location_id
  ORDER BY 1 DESC
  LIMIT 1
) t ON true
WHERE k.org_id = $6
AND k.container_id = $7
AND k.until IS NULL
ORDER BY k.asset_id
LIMIT $8;

-- name: settleRestored
SELECT DISTINCT k.container_id
FROM asset_containments k
WHERE k.org_id = $1
AND k.until IS NULL
AND (k.asset_id = ANY($2::int[]) OR k.container_id = ANY($3::int[]));
