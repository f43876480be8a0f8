-- name: listAntennaLevels
SELECT
  antenna,
  round(mean_dbm::numeric, 1)::float8 AS mean_dbm,
  reads::float8 AS reads,
  gap_ms::float8 AS gap_ms
FROM
  antenna_levels
WHERE
  org_id = $1
  AND reader_id = $2
ORDER BY
  antenna;
-- plan:
--   Sort
--     Bitmap Heap Scan antenna_levels
--       BitmapAnd
--         Bitmap Index Scan by antenna_levels_org
--         Bitmap Index Scan by antenna_levels_pkey
