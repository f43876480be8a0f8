-- name: readRoom
SELECT w.org_id, w.pending_count, w.pending_bytes::float8 AS pending_bytes
FROM webhook_endpoints w
WHERE w.org_id = ANY($1::int[])
ORDER BY w.id
FOR NO KEY UPDATE;

-- name: findSubscribers
SELECT w.id, w.org_id, w.event_types
FROM webhook_endpoints w
WHERE w.org_id = ANY($1::int[])
AND w.is_enabled
ORDER BY w.id;

-- name: withinBacklog
UPDATE webhook_endpoints w
SET dropped_count = dropped_count + g.n, last_dropped_at = date_trunc('milliseconds', clock_timestamp())
FROM unnest($1::int[], $2::int[]) AS g (id, n)
WHERE w.id = g.id;

-- name: readSpace
SELECT w.org_id, w.pending_count, w.pending_bytes::float8 AS pending_bytes
FROM webhook_endpoints w
WHERE w.org_id = ANY($1::int[])
ORDER BY w.id
FOR NO KEY UPDATE;
