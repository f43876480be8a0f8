-- name: restoreRows
SELECT id
FROM assets r
WHERE r.org_id = $1
AND r.id = ANY($2::int[])
AND r.deleted_at > clock_timestamp() - interval '30 days'
ORDER BY r.id
FOR UPDATE;

-- name: restoreRows
SELECT id
FROM locations r
WHERE r.org_id = $1
AND r.id = ANY($2::int[])
AND r.deleted_at > clock_timestamp() - interval '30 days'
ORDER BY r.id
FOR UPDATE;

-- name: restoreRows
-- further: bc376f79d4 d21b193e2b

-- name: touchReadersOf
UPDATE readers r
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), r.updated_at + interval '1 millisecond')
WHERE r.org_id = $1
AND r.deleted_at IS NULL
AND (r.location_id = ANY($2::int[])
  OR r.id IN (SELECT a.reader_id FROM reader_antennas a WHERE a.org_id = $3 AND a.location_id = ANY($4::int[])));

-- name: statesOf
SELECT r.id, r.name, r.deleted_at IS NULL AS is_live, coalesce(r.deleted_at > clock_timestamp() - interval '30 days',
  false) AS is_restorable
FROM assets r
WHERE r.org_id = $1
AND r.id = ANY($2::int[]);

-- name: statesOf
SELECT r.id, r.name, r.deleted_at IS NULL AS is_live, coalesce(r.deleted_at > clock_timestamp() - interval '30 days',
  false) AS is_restorable
FROM locations r
WHERE r.org_id = $1
AND r.id = ANY($2::int[]);

-- name: findParents
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = ANY($2::int[])
  AND l.deleted_at > clock_timestamp() - interval '30 days'
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
),
height AS (SELECT start_id, max(distance) + 1 AS levels FROM up GROUP BY start_id)
SELECT l.id, p.id AS parent_id, p.name AS parent_name, p.deleted_at IS NOT NULL AS parent_is_deleted, height.levels
FROM height
JOIN locations l ON l.org_id = $4
AND l.id = height.start_id
LEFT JOIN locations p ON p.org_id = l.org_id
AND p.id = l.parent_id;

-- name: findHolder
SELECT *
FROM (
  SELECT d.external_key AS value, true AS is_key, $1::text AS kind, h.id, h.name
  FROM assets d
  JOIN assets h ON h.org_id = d.org_id
  AND h.external_key = d.external_key
  AND h.deleted_at IS NULL
  WHERE d.org_id = $2
  AND d.id = $3
  AND d.deleted_at IS NOT NULL
  UNION ALL SELECT t.value, false, CASE WHEN u.asset_id IS NULL THEN 'location' ELSE 'asset' END, coalesce(a.id, l.id),
    coalesce(a.name, l.name)
  FROM tags t
  JOIN tags u ON u.org_id = t.org_id
  AND u.tag_type = t.tag_type
  AND u.value = t.value
  AND u.deleted_at IS NULL
  LEFT JOIN assets a ON a.org_id = u.org_id
  AND a.id = u.asset_id
  LEFT JOIN locations l ON l.org_id = u.org_id
  AND l.id = u.location_id
  WHERE t.org_id = $4
  AND t.asset_id = $5
  AND t.deleted_at IS NOT NULL
) holders
ORDER BY is_key DESC, value
LIMIT 1;
