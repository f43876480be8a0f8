-- name: writeLastUse
UPDATE api_keys
SET last_used_at = date_trunc('milliseconds', clock_timestamp())
WHERE id IN (
  SELECT id
  FROM api_keys
  WHERE id = ANY($1::uuid[])
  AND (last_used_at IS NULL OR last_used_at <= clock_timestamp() - interval '1 minute')
  FOR UPDATE SKIP LOCKED
);
