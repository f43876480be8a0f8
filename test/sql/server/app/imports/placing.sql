-- name: matchPlaces
UPDATE staged s
SET is_moved = (p.location_id = s.place_id) IS NOT TRUE
FROM staged o
LEFT JOIN asset_positions p ON p.org_id = $1
AND p.asset_id = o.id
WHERE o.line = s.line
AND s.place IS NOT NULL;

-- name: matchPlaces
SELECT s.line, s.place, s.places
FROM staged s
WHERE s.is_valid
AND s.place IS NOT NULL
AND s.places <> 1
ORDER BY s.line;

-- name: matchPlaces
-- further: 400d0ace01 6a87dd0456

-- name: noticesOfPlaces
SELECT min(s.line) AS line, count(*)::int AS count, (array_agg(s.place ORDER BY s.line))[1] AS place, l.external_key AS key,
  w.was_seen
FROM staged s
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT
    FROM asset_positions p
    WHERE p.org_id = $1
    AND p.asset_id = s.id
    AND p.location_id IS NOT NULL
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $2
      AND w.asset_id = p.asset_id
      AND w.placed_at = p.asset_last_seen
      AND w.seen_before IS NULL
      OFFSET 0
    )
    OFFSET 0
  ) AS was_seen
) w
LEFT JOIN locations l ON l.org_id = $3
AND l.id = s.place_id
WHERE s.is_valid
AND s.is_moved
AND s.places <= 1
GROUP BY l.external_key, CASE WHEN l.id IS NULL THEN fold_case(s.place) END, w.was_seen
ORDER BY 1;

-- name: noticesOfPlaces
SELECT min(s.line) AS line, count(*)::int AS count, (array_agg(s.place ORDER BY s.line))[1] AS place, l.external_key AS key,
  w.was_seen
FROM staged s
CROSS JOIN LATERAL (
  SELECT EXISTS (
    SELECT
    FROM asset_positions p
    WHERE p.org_id = $1
    AND p.asset_id = s.id
    AND p.location_id IS NOT NULL
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $2
      AND w.asset_id = p.asset_id
      AND w.placed_at = p.asset_last_seen
      AND w.seen_before IS NULL
      OFFSET 0
    )
    OFFSET 0
  ) AS was_seen
) w
LEFT JOIN locations l ON l.org_id = $3
AND l.id = s.place_id
WHERE s.is_valid
AND s.is_moved
AND s.places = 1
GROUP BY l.external_key, CASE WHEN l.id IS NULL THEN fold_case(s.place) END, w.was_seen
ORDER BY 1;

-- name: placeAssets
SELECT pg_advisory_xact_lock_shared($1::int, $2::int)::text;

-- name: placeAssets
SELECT DISTINCT ON (fold_case(place)) place AS name
FROM staged
WHERE is_moved
AND places = 0
ORDER BY fold_case(place), line;

-- name: placeAssets
-- further: c25a2e0729 e8b7d8e167
