-- name: findKinds
SELECT k.id, k.name, k.icon, k.color, k.image_id, k.holds_assets, api_timestamp(k.updated_at) AS updated_at, coalesce(c.n,
  0)::int AS asset_count
FROM asset_kinds k
LEFT JOIN (
  SELECT a.kind_id, count(*) AS n
  FROM assets a
  WHERE a.org_id = $1
  AND a.kind_id IS NOT NULL
  AND a.deleted_at IS NULL
  GROUP BY a.kind_id
) c ON c.kind_id = k.id
WHERE k.org_id = $2
ORDER BY k.name COLLATE natural_order, k.id;

-- name: lockKind
SELECT k.id, k.name, k.icon, k.color, k.image_id, k.holds_assets, api_timestamp(k.updated_at) AS updated_at
FROM asset_kinds k
WHERE k.org_id = $1
AND k.id = $2
FOR NO KEY UPDATE;

-- name: holdKind
SELECT 1
FROM asset_kinds k
WHERE k.org_id = $1
AND k.id = $2
FOR KEY SHARE;

-- name: countKinds
SELECT count(*)::int AS n
FROM asset_kinds
WHERE org_id = $1;

-- name: insertKind
INSERT INTO asset_kinds AS k (org_id, name, icon, color, image_id, holds_assets, updated_at)
VALUES ($1, $2, $3, $4, $5::int, $6, date_trunc('milliseconds', clock_timestamp()))
RETURNING k.id, k.name, k.icon, k.color, k.image_id, k.holds_assets, api_timestamp(k.updated_at) AS updated_at;

-- name: replaceKind
UPDATE asset_kinds k
SET name = $1, icon = $2, color = $3, image_id = $4::int, holds_assets = $5, updated_at = greatest(date_trunc('milliseconds',
  clock_timestamp()), k.updated_at + interval '1 millisecond')
WHERE k.org_id = $6
AND k.id = $7
RETURNING k.id, k.name, k.icon, k.color, k.image_id, k.holds_assets, api_timestamp(k.updated_at) AS updated_at;

-- name: deleteKindRow
UPDATE assets
SET kind_id = NULL
WHERE org_id = $1
AND kind_id = $2
AND deleted_at IS NOT NULL;

-- name: deleteKindRow
DELETE FROM asset_kinds
WHERE org_id = $1
AND id = $2;

-- name: kindsLike
SELECT w.at, array_agg(DISTINCT k.id) AS ids
FROM unnest($1::int[], $2::text[]) AS w (at, text)
JOIN asset_kinds k ON k.org_id = $3
AND strpos(fold_case(k.name), fold_case(w.text)) > 0
WHERE char_length(w.text) >= 3
GROUP BY w.at;

-- name: findKindOf
SELECT (
  SELECT json_build_object('id', k.id, 'name', k.name, 'icon', k.icon, 'color', k.color, 'image_id', k.image_id, 'holds_assets',
    k.holds_assets)
  FROM asset_kinds k
  WHERE k.org_id = a.org_id
  AND k.id = a.kind_id
) AS kind
FROM assets a
WHERE a.org_id = $1
AND a.id = $2;
