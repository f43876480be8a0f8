-- name: findSubscribers
SELECT
  w.id,
  w.org_id,
  w.event_types
FROM
  webhook_endpoints w
WHERE
  w.org_id = ANY ($1::int[])
  AND w.is_enabled
ORDER BY
  w.id;
-- plan:
--   Sort
--     Bitmap Heap Scan webhook_endpoints
--       Bitmap Index Scan by webhook_endpoints_org_id_id_key

-- name: withinBacklog
UPDATE webhook_endpoints w
SET
  dropped_count = dropped_count + g.n,
  last_dropped_at = date_trunc('milliseconds', clock_timestamp())
FROM
  unnest($1::int[], $2::int[]) AS g (id, n)
WHERE
  w.id = g.id;
-- plan:
--   ModifyTable webhook_endpoints
--     Nested Loop
--       Function Scan
--       Index Scan webhook_endpoints by webhook_endpoints_pkey

-- name: readRoom
SELECT
  w.org_id,
  w.pending_count,
  w.pending_bytes::float8 AS pending_bytes
FROM
  webhook_endpoints w
WHERE
  w.org_id = ANY ($1::int[])
ORDER BY
  w.id
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Sort
--       Bitmap Heap Scan webhook_endpoints
--         Bitmap Index Scan by webhook_endpoints_org_id_id_key
