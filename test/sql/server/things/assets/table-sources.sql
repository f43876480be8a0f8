-- name: fewCandidates
SELECT ARRAY(
  SELECT found.id
  FROM (
    SELECT DISTINCT q.asset_id AS id
    FROM asset_problems q
    WHERE q.org_id = $1
    AND q.resolved_at IS NULL
  ) found
  LIMIT $2
) AS ids;

-- name: fewCandidates
SELECT ARRAY(
  SELECT found.id
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
  ) found
  LIMIT $4
) AS ids;

-- name: fewCandidates
-- further: 0eed90a562 1cccf7830a 21258a3b75 233e7c68d3 2ac9bd914c 2f02ccb270 364023aa44 496fedabdf 5581cde905 71b481c4fc 74f1e9c862 77fabca4f0
-- further: 826a1bf618 8499f611cc 8aa1af48b9 96fdcf4038 98c09588fd 9e020af334 a6d1152c94 ad2e77de6d c03746466b f0802c0296

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
-- further: 3087abfe8a 356052d385 4020a13bcb 439d02eb93 5fb99fe626 5fe16abe63 6e5892d56f 6f55f6d917 9ee33a0030 af683108e6 c61c6458e0
