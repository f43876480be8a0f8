-- name: setBelongsTo
SELECT (SELECT set_config('whereabouts.author', $1, true)) IS NOT NULL;

-- name: giveLocation
SELECT a.belongs_to_id
FROM assets a
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL
FOR UPDATE;

-- name: giveLocation
UPDATE assets a
SET belongs_to_id = $1::int, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  a.updated_at + interval '1 millisecond')
WHERE a.org_id = $2
AND a.id = $3
AND a.deleted_at IS NULL;
