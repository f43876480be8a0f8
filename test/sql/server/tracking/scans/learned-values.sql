-- name: loadPictures
SELECT p.location_id, p.visits::float8 AS visits, coalesce(round(date_part('epoch', p.reset_at) * 1000), 0) AS reset_ms,
  p.antennas
FROM location_pictures p
JOIN locations l ON l.org_id = p.org_id
AND l.id = p.location_id
AND l.deleted_at IS NULL
WHERE p.org_id = $1
AND p.location_id > $2::int
AND p.updated_at >= to_timestamp($3::float8 / 1000)
ORDER BY p.location_id
LIMIT $4::int;

-- name: savePictures
INSERT INTO location_pictures AS p (org_id, location_id, visits, antennas, reset_at)
SELECT l.org_id, l.id, c.visits, c.antennas, nullif(to_timestamp(c.reset_ms / 1000), to_timestamp(0))
FROM jsonb_to_recordset($1::jsonb) AS c (location_id int, visits real, reset_ms float8, antennas jsonb)
JOIN locations l ON l.org_id = $2
AND l.id = c.location_id
AND l.deleted_at IS NULL
ORDER BY l.id ON CONFLICT (location_id) DO UPDATE
SET visits = EXCLUDED.visits, antennas = EXCLUDED.antennas, updated_at = EXCLUDED.updated_at
WHERE p.reset_at IS NOT DISTINCT FROM EXCLUDED.reset_at;
