-- name: findPosition
SELECT p.location_id, p.reader_id, p.antenna, p.locating, round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen,
  round(date_part('epoch', p.located_since) * 1000) AS located_since, (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    round(date_part('epoch', w.seen_before) * 1000))
  FROM asset_placements w
  WHERE w.org_id = $1
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
) AS placement
FROM asset_positions p
WHERE p.org_id = $2
AND p.asset_id = $3;

-- name: findReader
SELECT id, name, deleted_at IS NOT NULL AS is_deleted
FROM readers
WHERE org_id = $1
AND id = $2;

-- name: findBelongsTo
SELECT a.belongs_to_id
FROM assets a
WHERE a.org_id = $1
AND a.id = $2;
