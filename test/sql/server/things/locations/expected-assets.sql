-- name: listExpected
SELECT e.id, e.external_key, e.name, CASE WHEN sum(octet_length(e.tags::text)) OVER (ORDER BY e.name COLLATE natural_order,
  e.id) <= $1::int THEN e.tags END AS tags
FROM (
  SELECT a.id, a.external_key, a.name, (
    SELECT coalesce(json_agg(json_build_object('tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
    FROM tags t
    WHERE t.org_id = $2
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
  ) AS tags
  FROM asset_positions p
  JOIN assets a ON a.org_id = $3
  AND a.id = p.asset_id
  AND a.deleted_at IS NULL
  AND a.is_active
  WHERE p.org_id = $4
  AND p.location_id = $5
  ORDER BY a.name COLLATE natural_order, a.id
  LIMIT $6::int
) e
ORDER BY e.name COLLATE natural_order, e.id;
