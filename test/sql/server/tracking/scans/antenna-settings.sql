-- name: storedReaders
SELECT
  r.id,
  concat_ws(' ', r.updated_at) AS version,
  r.location_rule,
  coalesce(l.id, 0) AS location_id
FROM
  readers r
  LEFT JOIN locations l ON l.org_id = r.org_id
  AND l.id = r.location_id
  AND l.deleted_at IS NULL
WHERE
  r.org_id = $1
  AND r.deleted_at IS NULL
  AND r.id > $2::int
ORDER BY
  r.id
LIMIT
  $3::int;
-- plan:
--   Limit
--     Nested Loop
--       Index Scan readers by readers_org_id_id_key
--       Index Only Scan locations by locations_live_parent

-- name: storedReaders
SELECT
  r.id,
  concat_ws(' ', r.updated_at) AS version,
  r.location_rule,
  coalesce(l.id, 0) AS location_id
FROM
  readers r
  LEFT JOIN locations l ON l.org_id = r.org_id
  AND l.id = r.location_id
  AND l.deleted_at IS NULL
WHERE
  r.org_id = $1
  AND r.deleted_at IS NULL
  AND r.id > $2::int
  AND r.id = ANY ($3::int[])
ORDER BY
  r.id
LIMIT
  $4::int;
-- plan:
--   Limit
--     Nested Loop
--       Index Scan readers by readers_org_id_id_key
--       Index Only Scan locations by locations_live_parent

-- name: changedReaders
WITH
  gone AS MATERIALIZED (
    SELECT
      org_id,
      id,
      deleted_at
    FROM
      locations
    WHERE
      org_id = ANY ($1::int[])
      AND deleted_at >= to_timestamp($2::float8 / 1000)
  ),
  named AS (
    SELECT
      r.id,
      g.deleted_at
    FROM
      gone g
      JOIN readers r ON r.org_id = g.org_id
      AND r.location_id = g.id
    UNION ALL
    SELECT
      a.reader_id,
      g.deleted_at
    FROM
      gone g
      JOIN reader_antennas a ON a.org_id = g.org_id
      AND a.location_id = g.id
  ),
  concerned AS (
    SELECT
      id,
      count(*) AS times,
      max(deleted_at) AS newest
    FROM
      named
    GROUP BY
      id
  ),
  changed AS (
    SELECT
      id
    FROM
      readers
    WHERE
      org_id = ANY ($3::int[])
      AND updated_at >= to_timestamp($4::float8 / 1000)
    UNION
    SELECT
      id
    FROM
      concerned
  )
SELECT
  r.org_id,
  r.id,
  r.deleted_at IS NOT NULL AS is_deleted,
  concat_ws(' ', r.updated_at, c.times, c.newest) AS version
FROM
  changed
  JOIN readers r ON r.id = changed.id
  LEFT JOIN concerned c ON c.id = r.id
WHERE
  r.id > $5::int
ORDER BY
  r.id
LIMIT
  $6::int;
-- plan:
--   Limit
--     CTE gone: Bitmap Heap Scan locations
--       Bitmap Index Scan by locations_trash
--     CTE concerned: Aggregate
--       Sort
--         Append
--           Nested Loop
--             CTE Scan gone
--             Index Scan readers by readers_org_id_id_key
--           Hash Join
--             Seq Scan reader_antennas
--             Hash
--               CTE Scan gone
--     Merge Join
--       Nested Loop
--         Unique
--           Merge Append
--             Sort
--               Bitmap Heap Scan readers
--                 BitmapAnd
--                   Bitmap Index Scan by readers_org_id_id_key
--                   Bitmap Index Scan by readers_updated_at_idx
--             CTE Scan concerned
--         Index Scan readers by readers_pkey
--       Materialize
--         CTE Scan concerned

-- name: storedAntennas
SELECT
  a.reader_id,
  a.port,
  a.kind,
  r.location_rule,
  coalesce(al.id, rl.id, 0) AS location_id
FROM
  readers r
  JOIN reader_antennas a ON a.reader_id = r.id
  LEFT JOIN locations al ON al.org_id = r.org_id
  AND al.id = a.location_id
  AND al.deleted_at IS NULL
  LEFT JOIN locations rl ON rl.org_id = r.org_id
  AND rl.id = r.location_id
  AND rl.deleted_at IS NULL
WHERE
  r.org_id = $1
  AND r.id = ANY ($2::int[])
  AND (a.reader_id, a.port) > ($3::int, $4::int)
ORDER BY
  a.reader_id,
  a.port
LIMIT
  $5::int;
-- plan:
--   Limit
--     Incremental Sort
--       Nested Loop
--         Nested Loop
--           Nested Loop
--             Index Scan readers by readers_org_id_id_key
--             Index Only Scan locations by locations_live_parent
--           Bitmap Heap Scan reader_antennas
--             Bitmap Index Scan by reader_antennas_pkey
--         Index Only Scan locations by locations_live_parent
