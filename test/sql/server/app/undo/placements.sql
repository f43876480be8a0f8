-- name: findPlacements
SELECT l.id::text AS entry_id, a.id AS asset_id, a.deleted_at IS NOT NULL AS is_deleted,
  (l.before ->> 'location_id')::int AS from_id, f.id IS NOT NULL AS is_from_live, (l.after ->> 'location_id')::int AS to_id,
  EXISTS (
  SELECT
  FROM asset_placements w
  WHERE w.org_id = $1
  AND w.asset_id = a.id
  AND w.placed_at > l.occurred_at
) AS is_placed_again, coalesce(p.location_id = (l.after ->> 'location_id')::int AND (p.reader_id IS NOT NULL OR EXISTS (
  SELECT
  FROM scan_events e
  WHERE e.org_id = $2
  AND e.asset_id = a.id
  AND e.event_observed_at > p.located_since
  AND e.reader_id IS NULL
)), false) AS is_seen_there
FROM unnest($3::float8[], $4::text[]) AS k (ms, id)
JOIN activity_log l ON l.org_id = $5
AND l.occurred_at = to_timestamp(k.ms / 1000)
AND l.id = k.id::bigint
JOIN assets a ON a.org_id = $6
AND a.id = l.object_id::int
LEFT JOIN asset_positions p ON p.org_id = $7
AND p.asset_id = a.id
LEFT JOIN locations f ON f.org_id = $8
AND f.id = (l.before ->> 'location_id')::int
AND f.deleted_at IS NULL
ORDER BY a.id;
