-- name: fewCandidates
SELECT ARRAY(
  SELECT found.id
  FROM (
    SELECT k.asset_id AS id
    FROM tag_telemetry m
    JOIN tags k ON k.id = m.tag_id
    AND k.org_id = m.org_id
    WHERE m.org_id = $1
    AND m.battery < 20
    AND k.deleted_at IS NULL
    AND k.asset_id IS NOT NULL
  ) found
  LIMIT $2
) AS ids;

-- name: fewCandidates
SELECT ARRAY(
  SELECT found.id
  FROM (
    SELECT p.asset_id AS id
    FROM asset_positions p
    WHERE p.org_id = $1
    AND p.hidden_by IN (0, 2)
    AND p.asset_last_seen < to_timestamp($2::float8 / 1000)
    AND p.listed_at < to_timestamp($3::float8 / 1000)
    UNION ALL SELECT p.asset_id AS id
    FROM asset_placements w
    JOIN asset_positions p ON p.org_id = w.org_id
    AND p.asset_id = w.asset_id
    AND p.asset_last_seen = w.placed_at
    WHERE w.org_id = $4
    AND p.hidden_by IN (0, 2)
    AND w.placed_at >= to_timestamp($5::float8 / 1000)
    AND coalesce(w.seen_before < to_timestamp($6::float8 / 1000), true)
    AND true
    UNION ALL SELECT r.id
    FROM assets r
    WHERE r.org_id = $7
    AND r.deleted_at IS NULL
    AND NOT EXISTS (SELECT FROM asset_positions p WHERE p.org_id = $8 AND p.asset_id = r.id)
  ) found
  LIMIT $9
) AS ids;

-- name: fewCandidates
-- further: 2f02ccb270 71b481c4fc 98c09588fd 9e020af334 f0802c0296

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
    SELECT f.id
    FROM (SELECT * FROM unnest($1::int[], $2::int[]) AS v (belongs_to_id, location_id)) w
    CROSS JOIN LATERAL (
      SELECT p.asset_id AS id
      FROM asset_positions p
      WHERE p.org_id = $3
      AND p.belongs_to_id IS NOT NULL
      AND p.location_id IS NOT NULL
      AND p.hidden_by IN (0, 2)
      AND p.belongs_to_id = w.belongs_to_id
      AND p.location_id = w.location_id
      OFFSET 0
    ) f
    LIMIT $4
  ) counted
),
(
  SELECT count(*)::int
  FROM (
    SELECT DISTINCT q.asset_id AS id
    FROM asset_problems q
    WHERE q.org_id = $5
    AND q.resolved_at IS NULL
    LIMIT $6
  ) counted
)] AS counts;

-- name: narrowestPart
-- further: 3087abfe8a 356052d385 4020a13bcb 439d02eb93 5fb99fe626 5fe16abe63 6e5892d56f 6f55f6d917 9ee33a0030 af683108e6 c61c6458e0
