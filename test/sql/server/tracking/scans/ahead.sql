-- name: bringBack
WITH moment AS MATERIALIZED (SELECT date_trunc('milliseconds', clock_timestamp()) AS now), asset AS MATERIALIZED (
  SELECT p.org_id, p.asset_id, p.asset_last_seen, p.located_since, p.last_event_at, date_trunc('milliseconds',
    to_timestamp(g.before / 1000)) - interval '1 millisecond' AS newest
  FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id, unnest($3::float8[]) AS before) AS g
  JOIN asset_positions p ON p.org_id = g.org_id
  AND p.asset_id = g.asset_id
  WHERE p.asset_last_seen > clock_timestamp() + interval '10 seconds'
  ORDER BY p.asset_id
  FOR NO KEY UPDATE OF p
),
known AS MATERIALIZED (
  SELECT e.org_id, e.asset_id, e.event_observed_at AS at
  FROM asset a
  JOIN scan_events e ON e.org_id = a.org_id
  AND e.asset_id = a.asset_id
  CROSS JOIN moment m
  WHERE e.event_observed_at > m.now - interval '1 day'
  UNION
  SELECT v.org_id, v.asset_id, t.at
  FROM asset a
  JOIN asset_visits v ON v.org_id = a.org_id
  AND v.asset_id = a.asset_id
  CROSS JOIN moment m
  CROSS JOIN LATERAL (VALUES (v.arrived_at), (v.left_at), (v.last_seen_at)) AS t (at)
  WHERE t.at > m.now - interval '1 day'
  UNION
  SELECT a.org_id, a.asset_id, t.at
  FROM asset a
  CROSS JOIN LATERAL (VALUES (a.asset_last_seen), (a.located_since), (a.last_event_at)) AS t (at)
  WHERE t.at IS NOT NULL
),
first AS (
  SELECT k.asset_id, greatest(least(m.now, a.newest) - count(*) FILTER (WHERE k.at > m.now) * interval '1 millisecond',
    max(k.at) FILTER (WHERE k.at <= m.now)) AS at
  FROM known k
  JOIN asset a ON a.asset_id = k.asset_id
  CROSS JOIN moment m
  GROUP BY k.asset_id, m.now, a.newest
),
back AS MATERIALIZED (
  SELECT k.org_id, k.asset_id, k.at AS was,
    f.at + row_number() OVER (PARTITION BY k.asset_id ORDER BY k.at) * interval '1 millisecond' AS at
  FROM known k
  JOIN first f ON f.asset_id = k.asset_id
  CROSS JOIN moment m
  WHERE k.at > m.now
),
event AS (
  UPDATE scan_events e
  SET event_observed_at = b.at
  FROM back b
  CROSS JOIN moment m
  WHERE e.org_id = b.org_id
  AND e.asset_id = b.asset_id
  AND e.event_observed_at = b.was
  AND e.event_observed_at > m.now
),
visit AS (
  UPDATE asset_visits v
  SET arrived_at = coalesce((SELECT b.at FROM back b WHERE b.asset_id = v.asset_id AND b.was = v.arrived_at), v.arrived_at),
    left_at = coalesce((SELECT b.at FROM back b WHERE b.asset_id = v.asset_id AND b.was = v.left_at), v.left_at),
    last_seen_at = coalesce((SELECT b.at FROM back b WHERE b.asset_id = v.asset_id AND b.was = v.last_seen_at), v.last_seen_at)
  FROM asset a
  CROSS JOIN moment m
  WHERE v.org_id = a.org_id
  AND v.asset_id = a.asset_id
  AND (v.arrived_at > m.now OR v.left_at > m.now OR v.last_seen_at > m.now)
),
position AS (
  SELECT a.org_id, a.asset_id, coalesce(s.at, a.asset_last_seen) AS seen, coalesce(l.at, a.located_since) AS since, coalesce(e.at,
    a.last_event_at) AS last_event
  FROM asset a
  LEFT JOIN back s ON s.asset_id = a.asset_id
  AND s.was = a.asset_last_seen
  LEFT JOIN back l ON l.asset_id = a.asset_id
  AND l.was = a.located_since
  LEFT JOIN back e ON e.asset_id = a.asset_id
  AND e.was = a.last_event_at
),
placed AS (
  UPDATE asset_positions p
  SET asset_last_seen = n.seen, listed_at = n.seen, located_since = n.since, last_event_at = n.last_event, locating = ''
  FROM position n
  WHERE p.org_id = n.org_id
  AND p.asset_id = n.asset_id
  RETURNING 1
)
SELECT count(*)::int AS n
FROM placed;

-- name: findAhead
SELECT p.org_id, p.asset_id
FROM organizations o
CROSS JOIN generate_series(0, 3) AS state
CROSS JOIN LATERAL (
  SELECT p.org_id, p.asset_id
  FROM asset_positions p
  WHERE p.org_id = o.id
  AND p.hidden_by = state
  AND p.asset_last_seen > statement_timestamp() + interval '10 seconds'
  AND p.listed_at + interval '2 seconds' > statement_timestamp() + interval '10 seconds'
  ORDER BY p.listed_at DESC
  LIMIT $1::int
) p
LIMIT $2::int;
