-- name: readUse
WITH stay AS (
  SELECT v.location_id, greatest(v.arrived_at, to_timestamp($1::float8 / 1000)) AS begins, least(coalesce(v.left_at, 'infinity'),
    to_timestamp($2::float8 / 1000)) AS ends
  FROM visits v
  WHERE v.org_id = $3
  AND v.asset_id = $4
  AND v.arrived_at < to_timestamp($5::float8 / 1000)
  AND (v.left_at IS NULL OR v.left_at > to_timestamp($6::float8 / 1000))
),
quarter AS (
  SELECT s.location_id, q.at, extract(epoch FROM least(s.ends, q.at + interval '15 minutes') - greatest(s.begins,
    q.at)) AS seconds
  FROM stay s
  CROSS JOIN LATERAL generate_series(date_bin(interval '15 minutes', s.begins, 'epoch'::timestamptz), s.ends,
    interval '15 minutes') AS q (at)
  WHERE s.ends > s.begins
)
SELECT CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name) END AS location, u.hour, u.seconds
FROM (
  SELECT q.location_id, extract(hour FROM q.at AT TIME ZONE $7)::int AS hour, sum(q.seconds)::float8 AS seconds
  FROM quarter q
  WHERE q.seconds > 0
  GROUP BY 1, 2
) u
LEFT JOIN locations l ON l.org_id = $8
AND l.id = u.location_id
ORDER BY l.name COLLATE natural_order, u.location_id, u.hour;
