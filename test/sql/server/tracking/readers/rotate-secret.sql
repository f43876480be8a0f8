-- name: rotateSecret
UPDATE readers
SET secret_hash = $1, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $2
AND id = $3
AND deleted_at IS NULL
RETURNING name;
