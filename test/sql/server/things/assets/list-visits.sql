-- name: listVisitRows
SELECT visit.location_id, api_timestamp(visit.arrived_at) AS arrived_at, api_timestamp(visit.left_at) AS left_at,
  floor(date_part('epoch', visit.left_at - visit.arrived_at)) AS duration_seconds, api_timestamp(coalesce(visit.last_seen_at,
  p.asset_last_seen, visit.arrived_at)) AS last_seen_at, (
  SELECT json_build_object('by', (SELECT u.name FROM users u WHERE u.id = w.placed_by), 'file_name', w.file_name, 'seen_before',
    api_timestamp(w.seen_before), 'container', (
    SELECT json_build_object('id', c.id, 'name', c.name)
    FROM assets c
    WHERE c.org_id = w.org_id
    AND c.id = w.container_id
  ), 'with_contents', w.with_contents)
  FROM asset_placements w
  WHERE w.org_id = $1
  AND w.asset_id = visit.asset_id
  AND w.placed_at = visit.arrived_at
) AS placement
FROM assets a
LEFT JOIN LATERAL (
  SELECT v.asset_id, v.arrived_at, v.left_at, v.last_seen_at, v.location_id
  FROM visits v
  WHERE v.org_id = $2
  AND v.asset_id = $3
  AND v.arrived_at < to_timestamp($4::float8 / 1000)
  AND v.arrived_at < to_timestamp($5::float8 / 1000)
  AND v.arrived_at >= coalesce((
    SELECT max(o.arrived_at)
    FROM visits o
    WHERE o.org_id = $6
    AND o.asset_id = $7
    AND o.arrived_at <= to_timestamp($8::float8 / 1000)
  ), to_timestamp($9::float8 / 1000))
  AND (v.left_at IS NULL OR v.left_at > to_timestamp($10::float8 / 1000))
  ORDER BY v.arrived_at DESC
  LIMIT $11::int
) visit ON true
LEFT JOIN asset_positions p ON p.org_id = a.org_id
AND p.asset_id = a.id
WHERE a.org_id = $12
AND a.id = $13
AND a.deleted_at IS NULL
ORDER BY visit.arrived_at DESC;

-- name: listVisitRows
-- further: 09f51d30eb 2ce6339a7b e2c36e11a9

-- name: removeOldVisits
DELETE FROM asset_visits v USING (
  SELECT o.org_id, o.asset_id, o.arrived_at
  FROM asset_visits o
  WHERE o.left_at < now() - make_interval(days => $1::int)
  LIMIT $2::int
  FOR UPDATE SKIP LOCKED
) old
WHERE v.org_id = old.org_id
AND v.asset_id = old.asset_id
AND v.arrived_at = old.arrived_at;
