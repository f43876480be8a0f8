-- name: writeLastUse
UPDATE api_keys
SET
  last_used_at = date_trunc('milliseconds', clock_timestamp())
WHERE
  id IN (
    SELECT
      id
    FROM
      api_keys
    WHERE
      id = ANY ($1::uuid[])
      AND (
        last_used_at IS NULL
        OR last_used_at <= clock_timestamp() - interval '1 minute'
      )
    FOR UPDATE
      SKIP LOCKED
  );
-- plan:
--   ModifyTable api_keys
--     Nested Loop
--       Aggregate
--         Subquery Scan
--           LockRows
--             Bitmap Heap Scan api_keys
--               Bitmap Index Scan by api_keys_pkey
--       Index Scan api_keys by api_keys_pkey
