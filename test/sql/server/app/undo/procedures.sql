-- name: findBatch
SELECT b.id::text, b.object_kind, b.undone_at IS NOT NULL AS is_undone,
  (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days') AS is_undoable
FROM change_batches b
WHERE b.org_id = $1
AND b.id = $2::uuid;

-- name: noteUndone
UPDATE change_batches b
SET undone_at = date_trunc('milliseconds', clock_timestamp())
WHERE b.org_id = $1
AND b.id = $2::uuid
AND b.undone_at IS NULL
RETURNING (SELECT i.file_name FROM imports i WHERE i.org_id = b.org_id AND i.id = b.id);
