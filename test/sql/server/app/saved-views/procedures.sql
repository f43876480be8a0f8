-- name: listViews
SELECT id, name, query, columns, owner_id IS NULL AS is_shared
FROM saved_views
WHERE org_id = $1
AND (owner_id IS NULL OR owner_id = $2)
ORDER BY name COLLATE natural_order, id;
