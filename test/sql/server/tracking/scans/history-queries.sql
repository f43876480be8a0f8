-- name: readHistory
SELECT g.asset_id, round(date_part('epoch', e.at) * 1000) AS at, e.location_id, bool_or(e.is_after_known) AS is_after_known
FROM (
  SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id, unnest($3::float8[]) AS since, unnest($4::float8[]) AS until
) AS g
CROSS JOIN LATERAL ((
  SELECT v.event_observed_at AS at, v.location_id, false AS is_after_known
  FROM scan_events v
  WHERE v.org_id = g.org_id
  AND v.asset_id = g.asset_id
  AND v.event_observed_at < to_timestamp(g.since / 1000)
  ORDER BY v.event_observed_at DESC
  LIMIT 1
) UNION ALL (
  SELECT v.event_observed_at, v.location_id, true
  FROM scan_events v
  WHERE v.org_id = g.org_id
  AND v.asset_id = g.asset_id
  AND v.event_observed_at >= to_timestamp(g.since / 1000)
  AND v.event_observed_at <= to_timestamp(g.until / 1000)
) UNION ALL (
  SELECT v.event_observed_at, v.location_id, true
  FROM scan_events v
  WHERE v.org_id = g.org_id
  AND v.asset_id = g.asset_id
  AND v.event_observed_at > to_timestamp(g.until / 1000)
  ORDER BY v.event_observed_at
  LIMIT 1
)) e
GROUP BY g.asset_id, e.at, e.location_id
ORDER BY g.asset_id, e.at;

-- name: readNewestVisits
SELECT c.asset_id, round(date_part('epoch', v.arrived_at) * 1000) AS at
FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id) AS c
CROSS JOIN LATERAL (
  SELECT n.arrived_at
  FROM asset_visits n
  WHERE n.org_id = c.org_id
  AND n.asset_id = c.asset_id
  ORDER BY n.arrived_at DESC
  LIMIT 1
) v;

-- name: correctVisits
WITH removed AS (
  DELETE FROM asset_visits v USING (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id,
    unnest($3::float8[]) AS at) AS c
  WHERE v.org_id = c.org_id
  AND v.asset_id = c.asset_id
  AND v.arrived_at = to_timestamp(c.at / 1000)
) INSERT INTO asset_visits AS v (org_id, asset_id, arrived_at, location_id)
SELECT c.org_id, c.asset_id, to_timestamp(c.at / 1000), nullif(c.location_id, 0)
FROM (
  SELECT unnest($4::int[]) AS org_id, unnest($5::int[]) AS asset_id, unnest($6::float8[]) AS at, unnest($7::int[]) AS location_id
) AS c ON CONFLICT (org_id, asset_id, arrived_at) DO UPDATE
SET location_id = EXCLUDED.location_id;

-- name: correctVisits
UPDATE asset_visits v
SET left_at = following.arrived_at, last_seen_at = CASE WHEN following.arrived_at IS NOT NULL THEN seen.at END
FROM (
  SELECT DISTINCT t.org_id, t.asset_id, t.arrived_at
  FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id, unnest($3::float8[]) AS at) AS c
  CROSS JOIN LATERAL ((
    SELECT b.org_id, b.asset_id, b.arrived_at
    FROM asset_visits b
    WHERE b.org_id = c.org_id
    AND b.asset_id = c.asset_id
    AND b.arrived_at < to_timestamp(c.at / 1000)
    ORDER BY b.arrived_at DESC
    LIMIT 1
  ) UNION ALL (
    SELECT b.org_id, b.asset_id, b.arrived_at
    FROM asset_visits b
    WHERE b.org_id = c.org_id
    AND b.asset_id = c.asset_id
    AND b.arrived_at = to_timestamp(c.at / 1000)
  )) t
) touched
LEFT JOIN LATERAL (
  SELECT n.arrived_at
  FROM asset_visits n
  WHERE n.org_id = touched.org_id
  AND n.asset_id = touched.asset_id
  AND n.arrived_at > touched.arrived_at
  ORDER BY n.arrived_at
  LIMIT 1
) following ON true
LEFT JOIN LATERAL (
  SELECT e.event_observed_at AS at
  FROM scan_events e
  WHERE e.org_id = touched.org_id
  AND e.asset_id = touched.asset_id
  AND e.event_observed_at >= touched.arrived_at
  AND e.event_observed_at < following.arrived_at
  ORDER BY e.event_observed_at DESC
  LIMIT 1
) seen ON true
WHERE v.org_id = touched.org_id
AND v.asset_id = touched.asset_id
AND v.arrived_at = touched.arrived_at;

-- name: correctVisits
-- further: 277e329748
