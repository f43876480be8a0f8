-- name: listSignatures
SELECT
  s.reader_id,
  r.name AS reader_name,
  s.antenna,
  round(s.mean_dbm::numeric, 1)::float8 AS mean_dbm,
  s.reads::float8 AS samples,
  round(date_part('epoch', s.updated_at) * 1000) AS updated_at
FROM
  location_signatures s
  JOIN readers r ON r.org_id = s.org_id
  AND r.id = s.reader_id
  AND r.deleted_at IS NULL
WHERE
  s.org_id = $1
  AND s.location_id = $2
ORDER BY
  s.mean_dbm DESC,
  s.reader_id,
  s.antenna;
-- plan:
--   Sort
--     Nested Loop
--       Index Scan readers by readers_org_id_id_key
--       Index Scan location_signatures by location_signatures_pkey
