-- name: findHeldContainer
SELECT p.location_id, p.locating
FROM assets a
LEFT JOIN asset_positions p ON p.org_id = a.org_id
AND p.asset_id = a.id
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL;

-- name: findHeldContents
WITH left_by AS MATERIALIZED (
  SELECT v.location_id, max(v.left_at) AS left_at
  FROM asset_visits v
  WHERE v.org_id = $1
  AND v.asset_id = $2
  AND v.left_at IS NOT NULL
  GROUP BY v.location_id
)
SELECT k.asset_id, p.location_id, round(date_part('epoch', p.located_since) * 1000) AS since, p.locating, round(date_part('epoch',
  l.left_at) * 1000) AS left_at, EXISTS (
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
LEFT JOIN left_by l ON l.location_id = p.location_id
WHERE k.org_id = $3
AND k.container_id = $4
AND k.until IS NULL
ORDER BY k.asset_id
LIMIT $5;

-- name: settleRestored
SELECT DISTINCT k.container_id
FROM asset_containments k
WHERE k.org_id = $1
AND k.until IS NULL
AND (k.asset_id = ANY($2::int[]) OR k.container_id = ANY($3::int[]));
