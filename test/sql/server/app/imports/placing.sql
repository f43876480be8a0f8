-- name: matchPlaces
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, l.parent_id, l.name AS path, 1 AS level
  FROM locations l
  WHERE l.org_id = $1
  AND l.deleted_at IS NULL
  UNION ALL SELECT up.start_id, p.parent_id, p.name || ' › ' || up.path, up.level + 1
  FROM up
  JOIN locations p ON p.org_id = $2
  AND p.id = up.parent_id
  WHERE up.level < $3
),
paths AS (SELECT start_id AS id, path FROM up WHERE parent_id IS NULL), names AS (
  SELECT l.id, l.external_key AS text, 1 AS rank
  FROM locations l
  WHERE l.org_id = $4
  AND l.deleted_at IS NULL
  UNION ALL SELECT id, fold_case(path), 2
  FROM paths
  UNION ALL SELECT l.id, fold_case(l.name), 3
  FROM locations l
  WHERE l.org_id = $5
  AND l.deleted_at IS NULL
  UNION ALL SELECT start_id, fold_case(path), 4
  FROM up
  WHERE level > 1
),
found AS (
  SELECT s.place, n.id, n.rank, min(n.rank) OVER (PARTITION BY s.place) AS best
  FROM (
    SELECT place, fold_case(place) AS name, fold_case(regexp_replace(place, '\s*[>›]\s*|\s+/\s+', ' › ', 'g')) AS path
    FROM (SELECT DISTINCT place FROM staged WHERE is_valid AND place IS NOT NULL) given
    OFFSET 0
  ) s
  JOIN names n ON n.text = CASE n.rank WHEN 1 THEN s.place WHEN 3 THEN s.name ELSE s.path END
) UPDATE staged s
SET place_id = f.id, places = f.places
FROM (SELECT place, min(id) AS id, count(*)::int AS places FROM found WHERE rank = best GROUP BY place) f
WHERE s.place = f.place;

-- name: matchPlaces
UPDATE staged s
SET is_moved = (p.location_id = s.place_id) IS NOT TRUE
FROM staged o
LEFT JOIN asset_positions p ON p.org_id = $1
AND p.asset_id = o.id
WHERE o.line = s.line
AND s.place IS NOT NULL;

-- name: matchPlaces
-- further: 400d0ace01 6a87dd0456 c6d3dbe3a3

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
