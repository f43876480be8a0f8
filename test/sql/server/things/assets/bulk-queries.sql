-- name: retireAssets
SELECT id
FROM assets
WHERE org_id = $1
AND id = ANY($2::int[])
AND deleted_at IS NULL
ORDER BY id
FOR UPDATE;

-- name: retireAssets
WITH gone AS (
  UPDATE assets
  SET deleted_at = date_trunc('milliseconds', clock_timestamp())
  WHERE org_id = $1
  AND id = ANY($2::int[])
  AND deleted_at IS NULL
  AND (SELECT set_config('whereabouts.author', $3, true)) IS NOT NULL
  RETURNING id, deleted_at
),
retired AS (
  UPDATE tags t
  SET deleted_at = gone.deleted_at
  FROM gone
  WHERE t.org_id = $4
  AND t.asset_id = gone.id
)
SELECT id
FROM gone;
