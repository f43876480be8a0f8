-- name: listPositionRows
WITH RECURSIVE matched AS MATERIALIZED (
  SELECT p.asset_id, p.asset_last_seen, p.location_id, a.external_key AS asset_external_key, a.deleted_at,
    l.external_key AS location_external_key
  FROM asset_positions p
  JOIN assets a ON a.org_id = p.org_id
  AND a.id = p.asset_id
  LEFT JOIN locations l ON l.org_id = p.org_id
  AND l.id = p.location_id
  AND l.deleted_at IS NULL
  WHERE p.org_id = $1
  AND a.deleted_at IS NULL
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
  AND a.external_key = ANY($2::text[])
  AND p.location_id = ANY($3::int[])
),
page AS MATERIALIZED (SELECT * FROM matched ORDER BY asset_last_seen DESC, asset_id ASC LIMIT $4 OFFSET $5),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.total_count, page.asset_id AS id, page.asset_external_key, page.location_id, page.location_external_key,
  round(date_part('epoch', page.asset_last_seen) * 1000) AS asset_last_seen, round(date_part('epoch',
  page.deleted_at) * 1000) AS asset_deleted_at
FROM counts
LEFT JOIN page ON true
ORDER BY asset_last_seen DESC, asset_id ASC;

-- name: listPositionRows
WITH RECURSIVE matched AS MATERIALIZED (
  SELECT p.asset_id, p.asset_last_seen, p.location_id, a.external_key AS asset_external_key, a.deleted_at,
    l.external_key AS location_external_key
  FROM asset_positions p
  JOIN assets a ON a.org_id = p.org_id
  AND a.id = p.asset_id
  LEFT JOIN locations l ON l.org_id = p.org_id
  AND l.id = p.location_id
  AND l.deleted_at IS NULL
  WHERE p.org_id = $1
  AND a.deleted_at IS NULL
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
  AND a.external_key = ANY($2::text[])
),
page AS MATERIALIZED (SELECT * FROM matched ORDER BY asset_last_seen DESC, asset_id ASC LIMIT $3 OFFSET $4),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.total_count, page.asset_id AS id, page.asset_external_key, page.location_id, page.location_external_key,
  round(date_part('epoch', page.asset_last_seen) * 1000) AS asset_last_seen, round(date_part('epoch',
  page.deleted_at) * 1000) AS asset_deleted_at
FROM counts
LEFT JOIN page ON true
ORDER BY asset_last_seen DESC, asset_id ASC;

-- name: listPositionRows
-- further: 00b51d2688 1be6a0bf76 239b4a3c56 39e717bde5 3e28aa2ff7 466ea3918c 4bd8901ea6 5b5a100e4f 5c0ac613fd 5ce34a0c17 5fe0b053a9 72ae2a48ed
-- further: 74c103225a 883267222a 8fed38e21a a70b830544 a9a964a321 c120b27c9d d3dc51b571 d54f8884f6 d553516b09 e57d9bd5a2 e5a82ff60b e6cb8c0595
-- further: ec2ba82b9b fc0289cfdf
