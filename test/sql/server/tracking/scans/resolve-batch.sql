-- name: lockTrees
SELECT o.org_id, pg_advisory_xact_lock_shared(3, o.org_id)::text = '' AS is_locked
FROM (SELECT unnest($1::int[]) AS org_id) AS o;

-- name: lockTrees
SELECT o.org_id, pg_try_advisory_xact_lock_shared(3, o.org_id) AS is_locked
FROM (SELECT unnest($1::int[]) AS org_id) AS o;

-- name: lockPositions
SELECT u.*, p.*,
  ((SELECT true FROM asset_containments k WHERE k.org_id = $1::int AND k.until IS NULL LIMIT 1) IS NOT NULL) AS has_containers
FROM (SELECT $2::int AS org_id, asset.asset_id FROM (SELECT unnest($3::int[]) AS asset_id) AS asset) u
LEFT JOIN LATERAL (
  SELECT r.location_id, r.reader_id, r.antenna, round(date_part('epoch', r.asset_last_seen) * 1000) AS last_seen_ms,
    round(date_part('epoch', r.located_since) * 1000) AS since_ms, round(date_part('epoch',
    r.last_event_at) * 1000) AS last_event_ms, r.last_event_location_id, r.locating
  FROM asset_positions r
  WHERE r.org_id = u.org_id
  AND r.asset_id = u.asset_id
  FOR NO KEY UPDATE
) p ON true;

-- name: resolveBatch
SELECT t.*, p.*
FROM (
  SELECT g.no, g.org_id, t.id AS tag_id, t.asset_id, t.location_id AS labeled_location_id
  FROM (
    SELECT unnest($1::int[]) AS org_id, unnest($2::text[]) AS type, unnest($3::text[]) AS value, generate_series(1, $4::int) AS no
  ) AS g
  CROSS JOIN LATERAL ((
    SELECT e.id, e.asset_id, e.location_id
    FROM tags e
    WHERE e.org_id = g.org_id
    AND e.tag_type = g.type
    AND e.value = g.value
    AND e.deleted_at IS NULL
    LIMIT 1
  ) UNION ALL (
    SELECT n.id, n.asset_id, n.location_id
    FROM tags n
    WHERE n.org_id + 0 = g.org_id
    AND n.tag_type = g.type
    AND tag_normal_form(n.tag_type, n.value) = tag_normal_form(g.type, g.value)
    AND n.deleted_at IS NULL
    ORDER BY n.id + 0
    LIMIT 1
  ) LIMIT 1) t
  ORDER BY t.asset_id
  OFFSET 0
) t
LEFT JOIN LATERAL (
  SELECT r.location_id, r.reader_id, r.antenna, round(date_part('epoch', r.asset_last_seen) * 1000) AS last_seen_ms,
    round(date_part('epoch', r.located_since) * 1000) AS since_ms, round(date_part('epoch',
    r.last_event_at) * 1000) AS last_event_ms, r.last_event_location_id, r.locating
  FROM asset_positions r
  WHERE r.org_id = t.org_id
  AND r.asset_id = t.asset_id
  FOR NO KEY UPDATE
) p ON true;

-- name: resolveBatch
-- further: 683685ee1b
