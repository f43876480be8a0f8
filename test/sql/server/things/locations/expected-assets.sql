-- name: listExpected
WITH RECURSIVE up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id
  FROM up
  JOIN locations p ON p.org_id = $3
  AND p.id = up.parent_id
)
SELECT e.id, e.external_key, e.name, e.belongs_to, CASE
  WHEN sum(octet_length(e.tags::text)) OVER (ORDER BY e.name COLLATE natural_order, e.id) <= $4::int THEN e.tags END AS tags
FROM (
  SELECT a.id, a.external_key, a.name, (
    SELECT o.name
    FROM locations o
    WHERE o.org_id = $5
    AND o.id = a.belongs_to_id
    AND o.deleted_at IS NULL
    AND o.id NOT IN (SELECT up.id FROM up)
  ) AS belongs_to, (
    SELECT coalesce(json_agg(json_build_object('tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
    FROM tags t
    WHERE t.org_id = $6
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
  ) AS tags
  FROM asset_positions p
  JOIN assets a ON a.org_id = $7
  AND a.id = p.asset_id
  AND a.deleted_at IS NULL
  AND a.is_active
  WHERE p.org_id = $8
  AND p.location_id = $9
  ORDER BY a.name COLLATE natural_order, a.id
  LIMIT $10::int
) e
ORDER BY e.name COLLATE natural_order, e.id;
