-- name: findBatchEntries
SELECT round(date_part('epoch', l.occurred_at) * 1000) AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name,
  l.action
FROM activity_log l
WHERE l.org_id = $1
AND l.batch_id = $2::uuid
AND l.kind = $3
AND l.action = ANY($4::text[])
AND (l.occurred_at, l.id) < (to_timestamp($5::float8 / 1000), $6::bigint)
ORDER BY l.occurred_at DESC, l.id DESC
LIMIT $7;

-- name: findBatchEntries
SELECT round(date_part('epoch', l.occurred_at) * 1000) AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name,
  l.action
FROM activity_log l
WHERE l.org_id = $1
AND l.batch_id = $2::uuid
AND l.kind = $3
AND l.action = ANY($4::text[])
AND true
ORDER BY l.occurred_at DESC, l.id DESC
LIMIT $5;

-- name: findStillLive
SELECT round(date_part('epoch', l.occurred_at) * 1000) AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name
FROM activity_log l
JOIN locations r ON r.org_id = l.org_id
AND r.id = l.object_id::int
AND r.deleted_at IS NULL
WHERE l.org_id = $1
AND l.batch_id = $2::uuid
AND l.kind = 'location'
AND l.action IN ('created', 'restored')
AND true
ORDER BY l.occurred_at DESC, l.id DESC
LIMIT $3;

-- name: findEntries
SELECT round(date_part('epoch', l.occurred_at) * 1000) AS ms, l.id::text AS id, l.object_id::int AS row_id, l.object_name, l.kind,
  l.action
FROM unnest($1::float8[], $2::text[]) AS k (ms, id)
JOIN activity_log l ON l.org_id = $3
AND l.occurred_at = to_timestamp(k.ms / 1000)
AND l.id = k.id::bigint
WHERE l.kind IN ('asset', 'location')
AND l.occurred_at > clock_timestamp() - make_interval(days => $4::int)
ORDER BY l.occurred_at, l.id;
