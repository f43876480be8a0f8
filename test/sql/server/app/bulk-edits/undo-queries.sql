-- name: findEdits
SELECT e.id::text AS id, e.actor, e.fields, round(date_part('epoch', e.created_at) * 1000) AS created_at, e.asset_count,
  e.undone_at IS NOT NULL AS is_undone, u.name AS actor_name
FROM bulk_edits e
LEFT JOIN users u ON e.actor = 'user:' || u.id
WHERE e.org_id = $1
AND e.undone_at IS NULL
AND e.created_at > clock_timestamp() - interval '24 hours'
ORDER BY e.created_at DESC, e.id;

-- name: lockEdit
SELECT e.id::text AS id, e.actor, e.fields, round(date_part('epoch', e.created_at) * 1000) AS created_at, e.asset_count,
  e.undone_at IS NOT NULL AS is_undone
FROM bulk_edits e
WHERE e.org_id = $1
AND e.id = $2::uuid
AND e.created_at > clock_timestamp() - interval '24 hours'
FOR UPDATE;

-- name: restoreAssets
SELECT a.id
FROM assets a
WHERE a.org_id = $1
AND a.id = ANY(ARRAY(SELECT r.asset_id FROM bulk_edit_rows r WHERE r.org_id = $2 AND r.edit_id = $3::uuid))
ORDER BY a.id
FOR NO KEY UPDATE;

-- name: restoreAssets
SELECT a.id, a.external_key, a.name, CASE WHEN a.deleted_at IS NULL THEN 'changed' ELSE 'deleted' END AS reason
FROM bulk_edit_rows r
JOIN assets a ON a.org_id = r.org_id
AND a.id = r.asset_id
WHERE r.org_id = $1
AND r.edit_id = $2::uuid
AND (a.deleted_at IS NOT NULL OR a.updated_at <> r.updated_at)
ORDER BY a.external_key;

-- name: restoreAssets
-- further: 4b9830e74c 750a0258fb 89c1c43762 b07f08edcc c259b23351 cc4799eb45 fbd138706b

-- name: removeOldEdits
DELETE FROM bulk_edits
WHERE id IN (
  SELECT id
  FROM bulk_edits
  WHERE created_at < clock_timestamp() - make_interval(hours => $1::int)
  ORDER BY created_at
  LIMIT $2::int
);
