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
