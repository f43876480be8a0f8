-- name: findDecision
SELECT p.location_id, p.locating
FROM assets a
LEFT JOIN asset_positions p ON p.org_id = a.org_id
AND p.asset_id = a.id
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL;

-- name: findPlacement
SELECT (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    api_timestamp(w.seen_before), 'container', (
    SELECT json_build_object('id', c.id, 'name', c.name)
    FROM assets c
    WHERE c.org_id = w.org_id
    AND c.id = w.container_id
  ), 'with_contents', w.with_contents)
  FROM asset_placements w
  WHERE w.org_id = $1
  AND w.asset_id = g.asset_id
  AND w.placed_at = g.at
) AS placement
FROM (SELECT $2::int AS asset_id, to_timestamp($3::float8 / 1000) AS at) g;

-- name: findAntennas
SELECT g.reader_id, g.port, r.name AS reader_name, coalesce(a.kind, 'zone') AS kind, coalesce(al.id, rl.id) AS location_id,
  coalesce(al.name, rl.name) AS location_name
FROM unnest($1::int[], $2::int[]) AS g (reader_id, port)
JOIN readers r ON r.org_id = $3
AND r.id = g.reader_id
AND r.deleted_at IS NULL
LEFT JOIN reader_antennas a ON a.reader_id = r.id
AND a.port = g.port
LEFT JOIN locations al ON al.org_id = $4
AND al.id = a.location_id
AND al.deleted_at IS NULL
LEFT JOIN locations rl ON rl.org_id = $5
AND rl.id = r.location_id
AND rl.deleted_at IS NULL;

-- name: findTags
SELECT id, tag_type, value
FROM tags
WHERE org_id = $1
AND id = ANY ($2::int[]);

-- name: findLocationNames
SELECT id, name
FROM locations
WHERE org_id = $1
AND id = ANY ($2::int[]);
