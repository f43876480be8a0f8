-- name: logPlacements
INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
SELECT $1::int, date_trunc('milliseconds', clock_timestamp()), 'asset', a.id::text, a.name, 'placed', $2, $3, $4::uuid, CASE
  WHEN f.id IS NOT NULL THEN json_build_object('location', f.name || ' (' || f.external_key || ')', 'location_id', f.id) END,
  json_build_object('location', t.name || ' (' || t.external_key || ')', 'location_id', t.id)
FROM unnest($5::int[], $6::int[]) AS g (asset_id, from_id)
JOIN assets a ON a.org_id = $7
AND a.id = g.asset_id
JOIN locations t ON t.org_id = $8
AND t.id = $9::int
LEFT JOIN locations f ON f.org_id = $10
AND f.id = g.from_id
ORDER BY a.id;
