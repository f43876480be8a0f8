-- name: recordPlacements
INSERT INTO asset_placements (org_id, asset_id, placed_at, seen_before, placed_by, file_name)
SELECT $1::int, g.asset_id, to_timestamp($2::float8 / 1000), (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $3
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
),
$4::int, $5::text
FROM unnest($6::int[]) AS g (asset_id)
LEFT JOIN asset_positions p ON p.org_id = $7
AND p.asset_id = g.asset_id ON CONFLICT DO NOTHING;

-- name: removeOldPlacements
DELETE FROM asset_placements d USING (
  SELECT w.org_id, w.asset_id, w.placed_at
  FROM asset_placements w
  WHERE w.placed_at < now() - make_interval(days => $1::int)
  AND NOT EXISTS (
    SELECT
    FROM asset_positions p
    WHERE p.org_id = w.org_id
    AND p.asset_id = w.asset_id
    AND p.asset_last_seen = w.placed_at
  )
  AND NOT EXISTS (
    SELECT
    FROM visits v
    WHERE v.org_id = w.org_id
    AND v.asset_id = w.asset_id
    AND v.arrived_at = w.placed_at
  )
  LIMIT $2::int
  FOR UPDATE SKIP LOCKED
) old
WHERE d.org_id = old.org_id
AND d.asset_id = old.asset_id
AND d.placed_at = old.placed_at;
