-- name: namesOf
WITH inside AS MATERIALIZED (
  SELECT k.asset_id
  FROM asset_containments k
  WHERE k.org_id = $1
  AND k.container_id = $2
  AND k.until IS NULL
)
SELECT a.id, a.name, a.external_key, a.id IN (SELECT asset_id FROM inside) AS is_inside
FROM assets a
WHERE a.org_id = $3
AND a.deleted_at IS NULL
AND a.id = ANY($4::int[] || ARRAY(SELECT asset_id FROM inside))
ORDER BY a.name COLLATE natural_order, a.id;
