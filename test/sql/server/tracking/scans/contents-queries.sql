-- name: lockContents
WITH RECURSIVE inside AS (
  SELECT m.org_id, m.asset_id, NULL::int AS container_id, 0 AS level
  FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id) AS m
  UNION
  SELECT i.org_id, c.asset_id, i.asset_id, i.level + 1
  FROM inside i
  CROSS JOIN LATERAL (
    SELECT k.asset_id
    FROM asset_containments k
    WHERE k.org_id = i.org_id
    AND k.container_id = i.asset_id
    AND k.until IS NULL
    AND (SELECT a.deleted_at IS NULL FROM assets a WHERE a.id = k.asset_id AND a.org_id + 0 = k.org_id)
    OFFSET 0
  ) c
  WHERE i.level < 4
),
moved AS MATERIALIZED (SELECT org_id, asset_id, container_id FROM inside WHERE level > 0 LIMIT 5000)
SELECT u.*, p.*, (SELECT count(*) FROM moved) = 5000 AS is_cut
FROM (SELECT DISTINCT org_id, asset_id, container_id FROM moved ORDER BY asset_id OFFSET 0) u
LEFT JOIN LATERAL (
  SELECT r.location_id, r.reader_id, r.antenna, round(date_part('epoch', r.asset_last_seen) * 1000) AS last_seen_ms,
    round(date_part('epoch', r.located_since) * 1000) AS since_ms, round(date_part('epoch',
    r.last_event_at) * 1000) AS last_event_ms, r.last_event_location_id, r.locating
  FROM asset_positions r
  WHERE r.org_id = u.org_id
  AND r.asset_id = u.asset_id
  FOR NO KEY UPDATE
) p ON true;

-- name: findContainers
SELECT m.org_id, m.asset_id, c.container_id, (
  SELECT p.location_id
  FROM asset_positions p
  WHERE p.org_id = m.org_id
  AND p.asset_id = c.container_id
) AS location_id
FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id) AS m
CROSS JOIN LATERAL (
  SELECT k.container_id
  FROM asset_containments k
  WHERE k.org_id = m.org_id
  AND k.asset_id = m.asset_id
  AND k.until IS NULL
  AND (SELECT a.deleted_at IS NULL FROM assets a WHERE a.id = k.container_id AND a.org_id + 0 = k.org_id)
  OFFSET 0
) c;

-- name: recordCarried
INSERT INTO asset_placements (org_id, asset_id, placed_at, seen_before, placed_by, container_id, with_contents)
SELECT c.org_id, c.asset_id, to_timestamp(c.at / 1000), CASE WHEN $1::boolean THEN to_timestamp(c.at / 1000) ELSE (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = c.org_id
  AND w.asset_id = c.asset_id
  AND w.placed_at = p.asset_last_seen
) END, $2::int, c.container_id, c.container_id IS NULL
FROM (
  SELECT unnest($3::int[]) AS org_id, unnest($4::int[]) AS asset_id, unnest($5::int[]) AS container_id, unnest($6::float8[]) AS at
) AS c
LEFT JOIN asset_positions p ON p.org_id = c.org_id
AND p.asset_id = c.asset_id ON CONFLICT DO NOTHING;

-- name: settleLater
SELECT (graphile_worker.add_job('settle_container', json_build_object('org_id', c.org_id, 'container_id', c.asset_id),
  run_at => now() + interval '40000 milliseconds', job_key => 'settle_container:' || c.asset_id, job_key_mode => 'preserve_run_at',
  queue_name => 'settle_container ' || c.org_id)).id::float8
FROM (
  SELECT *
  FROM (SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id) AS g
  ORDER BY 1, 2
) c
WHERE EXISTS (
  SELECT
  FROM asset_containments k
  WHERE k.org_id = c.org_id
  AND k.container_id = c.asset_id
  AND k.until IS NULL
  OFFSET 0
);
