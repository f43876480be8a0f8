-- name: findViews
SELECT id, name, query, columns, owner_id IS NULL AS is_shared
FROM saved_views
WHERE org_id = $1
AND deleted_at IS NULL
AND (owner_id IS NULL OR owner_id = $2)
ORDER BY name COLLATE natural_order, id;

-- name: lockView
SELECT id, name, query, columns, owner_id IS NULL AS is_shared
FROM saved_views
WHERE org_id = $1
AND id = $2
AND (owner_id IS NULL OR owner_id = $3)
AND deleted_at IS NULL
FOR UPDATE;

-- name: lockView
SELECT id, name, query, columns, owner_id IS NULL AS is_shared
FROM saved_views
WHERE org_id = $1
AND id = $2
AND (owner_id IS NULL OR owner_id = $3)
AND saved_views.deleted_at > clock_timestamp() - interval '30 days'
FOR UPDATE;

-- name: countViews
SELECT count(*)::int AS n
FROM saved_views
WHERE org_id = $1
AND deleted_at IS NULL
AND owner_id IS NOT DISTINCT FROM $2::int;

-- name: insertView
INSERT INTO saved_views (org_id, owner_id, name, query, columns)
VALUES ($1, $2::int, $3, $4, $5::text[]) ON CONFLICT DO NOTHING
RETURNING id, name, query, columns, owner_id IS NULL AS is_shared;

-- name: retireView
UPDATE saved_views
SET deleted_at = date_trunc('milliseconds', clock_timestamp())
WHERE org_id = $1
AND id = $2;

-- name: retireView
DELETE FROM saved_views
WHERE id IN (
  SELECT v.id
  FROM saved_views v
  WHERE v.org_id = $1
  AND v.owner_id IS NOT DISTINCT FROM $2::int
  AND v.deleted_at IS NOT NULL
  ORDER BY v.deleted_at DESC, v.id DESC
  OFFSET $3::int
);

-- name: restoreRow
UPDATE saved_views
SET deleted_at = NULL
WHERE org_id = $1
AND id = $2;

-- name: removeDeletedViews
DELETE FROM saved_views v
WHERE v.deleted_at <= clock_timestamp() - interval '30 days';
