-- name: ensurePartitions
SELECT pg_advisory_xact_lock($1::bigint)::text;

-- name: dropExpiredPartitions
SELECT pg_advisory_xact_lock($1::bigint)::text;

-- name: dropExpiredPartitions
SET LOCAL lock_timeout = '500ms';

-- name: dropExpiredPartitions
-- further: 95bb8fd285

-- name: newestWithRows
SELECT 1 AS found
FROM scan_events_2000_01
LIMIT 1;

-- name: partitionSuffixes
SELECT substr(c.relname::text, length($1) + 2) AS suffix
FROM pg_inherits i
JOIN pg_class c ON c.oid = i.inhrelid
WHERE i.inhparent = $2::regclass;

-- name: createPartition
CREATE TABLE activity_log_2000_01 (LIKE activity_log INCLUDING ALL);

-- name: createPartition
CREATE TABLE scan_events_2000_01 (LIKE scan_events INCLUDING ALL);

-- name: createPartition
-- further: 067cb66bb8 73451f2da5

-- name: emptyDefault
LOCK TABLE activity_log_default IN ACCESS EXCLUSIVE MODE;

-- name: emptyDefault
WITH moved AS (
  DELETE FROM activity_log_default
  WHERE occurred_at >= '2000-01-01'
  AND occurred_at < '2000-01-01'
  RETURNING *
) INSERT INTO activity_log_2000_01
SELECT *
FROM moved;
