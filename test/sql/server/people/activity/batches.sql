-- name: recordBatch
INSERT INTO change_batches AS b (org_id, id, kind, object_kind, fields, created_at, count, entry_id)
SELECT $1::int, $2::uuid, $3, $4, $5::text[], date_trunc('milliseconds', clock_timestamp()), $6::int, l.id
FROM activity_log l
WHERE l.org_id = $7
AND l.batch_id = $8::uuid
ORDER BY l.occurred_at DESC, l.id DESC
LIMIT 1 ON CONFLICT (org_id, id) DO UPDATE
SET created_at = excluded.created_at, count = b.count + excluded.count, entry_id = excluded.entry_id;

-- name: removeOldBatches
DELETE FROM change_batches
WHERE created_at < clock_timestamp() - make_interval(days => $1::int);
