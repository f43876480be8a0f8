-- name: findTestSubject
SELECT r.publish_topic AS topic, CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.name) END AS asset, (
  SELECT json_build_object('tag_type', t.tag_type, 'value', t.value)
  FROM tags t
  WHERE t.org_id = $1
  AND t.asset_id = a.id
  AND t.deleted_at IS NULL
  ORDER BY t.id
  LIMIT 1
) AS tag
FROM readers r
LEFT JOIN assets a ON a.org_id = r.org_id
AND a.id = $2
AND a.deleted_at IS NULL
WHERE r.org_id = $3
AND r.id = $4
AND r.deleted_at IS NULL;

-- name: locationOfAsset
SELECT l.id, l.name
FROM asset_positions p
JOIN locations l ON l.org_id = p.org_id
AND l.id = p.location_id
AND l.deleted_at IS NULL
WHERE p.org_id = $1
AND p.asset_id = $2;
