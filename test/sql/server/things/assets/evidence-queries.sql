-- name: findDecision
SELECT
  p.location_id,
  round(date_part('epoch', p.located_since) * 1000) AS located_since,
  p.locating
FROM
  assets a
  LEFT JOIN asset_positions p ON p.org_id = a.org_id
  AND p.asset_id = a.id
WHERE
  a.org_id = $1
  AND a.id = $2
  AND a.deleted_at IS NULL;
-- plan:
--   Nested Loop
--     Index Only Scan assets by assets_live_key_order
--     Index Scan asset_positions by asset_positions_pkey

-- name: findAntennas
SELECT
  g.reader_id,
  g.port,
  r.name AS reader_name,
  r.location_rule AS rule,
  coalesce(a.kind, 'zone') AS kind,
  coalesce(al.id, rl.id) AS location_id,
  coalesce(al.name, rl.name) AS location_name,
  round(date_part('epoch', r.last_message_at) * 1000) AS last_message_at,
  CASE
    WHEN v.antenna IS NOT NULL THEN json_build_object('meanDbm', v.mean_dbm, 'flickerDb', v.flicker_db, 'gapMs', v.gap_ms, 'reads', v.reads)
  END AS level
FROM
  unnest($1::int[], $2::int[]) AS g (reader_id, port)
  JOIN readers r ON r.org_id = $3
  AND r.id = g.reader_id
  AND r.deleted_at IS NULL
  LEFT JOIN reader_antennas a ON a.reader_id = r.id
  AND a.port = g.port
  LEFT JOIN locations al ON al.org_id = $4
  AND al.id = a.location_id
  AND al.deleted_at IS NULL
  LEFT JOIN locations rl ON rl.org_id = $5
  AND rl.id = r.location_id
  AND rl.deleted_at IS NULL
  LEFT JOIN antenna_levels v ON v.reader_id = r.id
  AND v.antenna = g.port;
-- plan:
--   Nested Loop
--     Nested Loop
--       Nested Loop
--         Nested Loop
--           Nested Loop
--             Index Scan readers by readers_org_id_id_key
--             Function Scan
--           Index Scan reader_antennas by reader_antennas_pkey
--         Index Scan locations by locations_live_parent
--       Index Scan locations by locations_live_parent
--     Index Scan antenna_levels by antenna_levels_pkey

-- name: findSignatures
SELECT
  location_id,
  reader_id,
  antenna,
  reads::float8 AS reads,
  mean_dbm::float8 AS mean_dbm,
  variance::float8 AS variance,
  labels
FROM
  location_signatures
WHERE
  org_id = $1
  AND location_id = ANY ($2::int[]);
-- plan:
--   Bitmap Heap Scan location_signatures
--     BitmapAnd
--       Bitmap Index Scan by location_signatures_org
--       Bitmap Index Scan by location_signatures_pkey

-- name: findTags
SELECT
  id,
  tag_type,
  value
FROM
  tags
WHERE
  org_id = $1
  AND id = ANY ($2::int[]);
-- plan:
--   Bitmap Heap Scan tags
--     Bitmap Index Scan by tags_pkey

-- name: findLocationNames
SELECT
  id,
  name
FROM
  locations
WHERE
  org_id = $1
  AND id = ANY ($2::int[]);
-- plan:
--   Index Scan locations by locations_org_id_id_key
