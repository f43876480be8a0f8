-- name: createLearnedValues
SELECT
  1
FROM
  locations
WHERE
  id = ANY ($1::int[])
ORDER BY
  id
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Sort
--       Bitmap Heap Scan locations
--         Bitmap Index Scan by locations_pkey

-- name: storedLevels
SELECT
  reader_id,
  antenna,
  mean_dbm::float8 AS mean_dbm,
  flicker_db::float8 AS flicker_db,
  gap_ms::float8 AS gap_ms,
  reads::float8 AS reads
FROM
  antenna_levels
WHERE
  org_id = $1
  AND reader_id = ANY ($2::int[])
  AND updated_at >= to_timestamp($3::float8 / 1000);
-- plan:
--   Bitmap Heap Scan antenna_levels
--     BitmapAnd
--       Bitmap Index Scan by antenna_levels_org
--       Bitmap Index Scan by antenna_levels_pkey

-- name: storedSignatures
SELECT
  s.location_id,
  s.reader_id,
  s.antenna,
  s.reads::float8 AS reads,
  s.mean_dbm::float8 AS mean_dbm,
  s.variance::float8 AS variance,
  s.labels
FROM
  (
    SELECT DISTINCT
      c.location_id
    FROM
      location_signatures c
      JOIN locations l ON l.org_id = c.org_id
      AND l.id = c.location_id
      AND l.deleted_at IS NULL
      JOIN readers r ON r.org_id = c.org_id
      AND r.id = c.reader_id
      AND r.deleted_at IS NULL
    WHERE
      c.org_id = $1
      AND c.location_id > $2::int
      AND c.updated_at >= to_timestamp($3::float8 / 1000)
    ORDER BY
      c.location_id
    LIMIT
      $4::int
  ) n
  JOIN location_signatures s ON s.org_id = $5
  AND s.location_id = n.location_id
  JOIN readers r ON r.org_id = s.org_id
  AND r.id = s.reader_id
  AND r.deleted_at IS NULL
ORDER BY
  s.location_id,
  s.reader_id,
  s.antenna;
-- plan:
--   Incremental Sort
--     Nested Loop
--       Limit
--         Unique
--           Sort
--             Nested Loop
--               Nested Loop
--                 Index Only Scan locations by locations_live_parent
--                 Index Scan location_signatures by location_signatures_pkey
--               Index Scan readers by readers_org_id_id_key
--       Nested Loop
--         Index Scan readers by readers_org_id_id_key
--         Index Scan location_signatures by location_signatures_pkey

-- name: storedResets
SELECT
  location_id,
  round(date_part('epoch', max(at)) * 1000) AS reset_ms
FROM
  (
    SELECT
      object_id::int AS location_id,
      occurred_at AS at
    FROM
      activity_log
    WHERE
      org_id = ANY ($1::int[])
      AND occurred_at >= statement_timestamp() - interval '15 seconds'
      AND kind = 'location'
      AND action = 'calibration_reset'
    UNION ALL
    SELECT
      id,
      deleted_at
    FROM
      locations
    WHERE
      org_id = ANY ($2::int[])
      AND deleted_at >= statement_timestamp() - interval '15 seconds'
  ) r
GROUP BY
  location_id;
-- plan:
--   Aggregate
--     Append
--       Index Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx
--       Bitmap Heap Scan locations
--         Bitmap Index Scan by locations_trash

-- name: storedResets
SELECT
  location_id,
  round(date_part('epoch', max(at)) * 1000) AS reset_ms
FROM
  (
    SELECT
      object_id::int AS location_id,
      occurred_at AS at
    FROM
      activity_log
    WHERE
      org_id = ANY ($1::int[])
      AND occurred_at >= to_timestamp($2::float8 / 1000)
      AND kind = 'location'
      AND action = 'calibration_reset'
    UNION ALL
    SELECT
      id,
      deleted_at
    FROM
      locations
    WHERE
      org_id = ANY ($3::int[])
      AND deleted_at >= to_timestamp($4::float8 / 1000)
  ) r
GROUP BY
  location_id;
-- plan:
--   Aggregate
--     Append
--       Index Scan activity_log_default by activity_log_default_org_id_kind_object_id_occurred_at_id_idx
--       Bitmap Heap Scan locations
--         Bitmap Index Scan by locations_trash

-- name: saveLevels
INSERT INTO
  antenna_levels AS l (org_id, reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
SELECT
  r.org_id,
  r.id,
  c.antenna,
  c.mean_dbm,
  c.flicker_db,
  c.gap_ms,
  c.reads
FROM
  unnest($1::int[], $2::int[], $3::real[], $4::real[], $5::real[], $6::real[]) AS c (reader_id, antenna, mean_dbm, flicker_db, gap_ms, reads)
  JOIN readers r ON r.id = c.reader_id
  AND r.deleted_at IS NULL
ORDER BY
  r.id,
  c.antenna
ON CONFLICT (reader_id, antenna) DO UPDATE
SET
  mean_dbm = EXCLUDED.mean_dbm,
  flicker_db = EXCLUDED.flicker_db,
  gap_ms = EXCLUDED.gap_ms,
  reads = EXCLUDED.reads,
  updated_at = EXCLUDED.updated_at;
-- plan:
--   ModifyTable antenna_levels
--     Subquery Scan
--       Sort
--         Nested Loop
--           Function Scan
--           Memoize
--             Index Scan readers by readers_pkey

-- name: saveSignatures
INSERT INTO
  location_signatures AS s (org_id, location_id, reader_id, antenna, reads, mean_dbm, variance, labels)
SELECT
  r.org_id,
  l.id,
  r.id,
  c.antenna,
  c.reads,
  c.mean_dbm,
  c.variance,
  c.labels
FROM
  unnest($1::int[], $2::int[], $3::int[], $4::real[], $5::real[], $6::real[], $7::int[]) AS c (location_id, reader_id, antenna, reads, mean_dbm, variance, labels)
  JOIN readers r ON r.id = c.reader_id
  AND r.deleted_at IS NULL
  JOIN locations l ON l.org_id = r.org_id
  AND l.id = c.location_id
  AND l.deleted_at IS NULL
ORDER BY
  l.id,
  r.id,
  c.antenna
ON CONFLICT (location_id, reader_id, antenna) DO UPDATE
SET
  reads = EXCLUDED.reads,
  mean_dbm = EXCLUDED.mean_dbm,
  variance = EXCLUDED.variance,
  labels = EXCLUDED.labels,
  updated_at = EXCLUDED.updated_at;
-- plan:
--   ModifyTable location_signatures
--     Subquery Scan
--       Sort
--         Nested Loop
--           Hash Join
--             Function Scan
--             Hash
--               Bitmap Heap Scan locations
--                 Bitmap Index Scan by locations_live_parent (whole)
--           Index Scan readers by readers_pkey
