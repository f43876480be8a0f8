-- name: ensurePartitions
SELECT
  pg_advisory_xact_lock($1::bigint)::text;
-- plan:
--   Result

-- name: dropExpiredPartitions
SELECT
  pg_advisory_xact_lock($1::bigint)::text;
-- plan:
--   Result

-- name: dropExpiredPartitions
SET
  LOCAL lock_timeout = '500ms';
-- plan:
--   none: not a query

-- name: dropExpiredPartitions
DROP TABLE IF EXISTS scan_events_2000_01;
-- plan:
--   none: not a query

-- name: newestWithRows
SELECT
  1 AS found
FROM
  scan_events_2000_01
LIMIT
  1;
-- plan:
--   Limit
--     Index Only Scan scan_events_2000_01 by scan_events_2000_01_pkey (whole)

-- name: partitionSuffixes
SELECT
  substr(c.relname::text, length($1) + 2) AS suffix
FROM
  pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid
WHERE
  i.inhparent = $2::regclass;
-- plan:
--   Nested Loop
--     Index Scan pg_inherits by pg_inherits_parent_index
--     Index Scan pg_class by pg_class_oid_index

-- name: createPartition
CREATE TABLE activity_log_2000_01 (LIKE activity_log INCLUDING ALL);
-- plan:
--   none: not a query

-- name: createPartition
CREATE TABLE scan_events_2000_01 (LIKE scan_events INCLUDING ALL);
-- plan:
--   none: not a query

-- name: createPartition
ALTER TABLE activity_log ATTACH PARTITION activity_log_2000_01 FOR
VALUES
FROM
  ('2000-01-01') TO ('2000-01-01');
-- plan:
--   none: not a query

-- name: createPartition
ALTER TABLE scan_events ATTACH PARTITION scan_events_2000_01 FOR
VALUES
FROM
  ('2000-01-01') TO ('2000-01-01');
-- plan:
--   none: not a query

-- name: emptyDefault
LOCK TABLE activity_log_default IN ACCESS EXCLUSIVE MODE;
-- plan:
--   none: not a query

-- name: emptyDefault
WITH
  moved AS (
    DELETE FROM activity_log_default
    WHERE
      occurred_at >= '2000-01-01'
      AND occurred_at < '2000-01-01'
    RETURNING
      *
  )
INSERT INTO
  activity_log_2000_01
SELECT
  *
FROM
  moved;
-- plan:
--   ModifyTable activity_log_2000_01
--     CTE moved: ModifyTable activity_log_default
--       Index Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx
--     CTE Scan moved
