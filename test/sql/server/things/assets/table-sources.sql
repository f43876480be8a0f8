-- name: narrowestPart
SELECT ARRAY[(
  SELECT count(*)::int
  FROM (
    SELECT g.asset_id AS id
    FROM tags g
    WHERE g.org_id = $1
    AND g.tag_type = $2
    AND g.deleted_at IS NULL
    AND g.asset_id IS NOT NULL
    LIMIT $3
  ) counted
),
(
  SELECT count(*)::int
  FROM (
    SELECT k.asset_id AS id
    FROM tag_telemetry m
    JOIN tags k ON k.id = m.tag_id
    AND k.org_id = m.org_id
    WHERE m.org_id = $4
    AND m.battery < 20
    AND k.deleted_at IS NULL
    AND k.asset_id IS NOT NULL
    LIMIT $5
  ) counted
)] AS counts;

-- name: narrowestPart
SELECT ARRAY[(
  SELECT count(*)::int
  FROM (
    SELECT p.asset_id AS id
    FROM asset_positions p
    WHERE p.org_id = $1
    AND p.hidden_by IN (0, 2)
    AND p.asset_last_seen < to_timestamp($2::float8 / 1000)
    AND p.listed_at < to_timestamp($3::float8 / 1000)
    LIMIT $4
  ) counted
)] AS counts;

-- name: narrowestPart
-- further: 11f5a1bb2f 3087abfe8a 356052d385 4020a13bcb 439d02eb93 5fe16abe63 6e5892d56f 6eb1207962 6f55f6d917 9ee33a0030 af683108e6 c159d43979
-- further: c61c6458e0 f1c7249bfc
