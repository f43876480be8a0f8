-- name: getFreeMark
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.name, l.assets_free
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2
  AND l.deleted_at IS NULL
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.name, p.assets_free
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
)
SELECT id, name, assets_free AS says, distance
FROM up
WHERE distance = 0 OR assets_free IS NOT NULL
ORDER BY distance
LIMIT 2;

-- name: setFreeMark
UPDATE locations l
SET assets_free = $1::boolean, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  l.updated_at + interval '1 millisecond')
WHERE l.org_id = $2
AND l.id = $3
AND l.deleted_at IS NULL
AND (SELECT set_config('whereabouts.author', $4, true)) IS NOT NULL;
