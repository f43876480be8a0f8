-- name: capacityOf
WITH RECURSIVE up AS (
  SELECT $1::int AS id, 0 AS level
  UNION ALL SELECT k.container_id, up.level + 1
  FROM up
  JOIN asset_containments k ON k.org_id = $2
  AND k.asset_id = up.id
  AND k.until IS NULL
  JOIN assets c ON c.org_id = $3
  AND c.id = k.container_id
  AND c.deleted_at IS NULL
  WHERE up.level <= $4
)
SELECT ARRAY(SELECT id FROM up WHERE level > 0 ORDER BY level) AS above_ids, (
  SELECT count(*)::int
  FROM asset_containments k
  WHERE k.org_id = $5
  AND k.container_id = c.id
  AND k.until IS NULL
) AS direct_contents
FROM assets c
WHERE c.org_id = $6
AND c.id = $7
AND c.deleted_at IS NULL;

-- name: findAssetContainments
WITH RECURSIVE down AS (
  SELECT g.id AS top, g.id, 0 AS level
  FROM unnest($1::int[]) AS g (id)
  UNION ALL SELECT d.top, k.asset_id, d.level + 1
  FROM down d
  JOIN asset_containments k ON k.org_id = $2
  AND k.container_id = d.id
  AND k.until IS NULL
  WHERE d.level <= $3
),
deepest AS (SELECT top, max(level)::int AS levels FROM down GROUP BY top)
SELECT d.top AS asset_id, d.levels, p.location_id, (
  SELECT round(date_part('epoch', greatest(max(h.since), max(h.until))) * 1000)
  FROM asset_containments h
  WHERE h.org_id = $4
  AND h.asset_id = d.top
) AS changed_at, CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'external_key',
  c.external_key) END AS was_in
FROM deepest d
LEFT JOIN asset_containments k ON k.org_id = $5
AND k.asset_id = d.top
AND k.until IS NULL
LEFT JOIN assets c ON c.org_id = $6
AND c.id = k.container_id
AND c.deleted_at IS NULL
LEFT JOIN asset_positions p ON p.org_id = $7
AND p.asset_id = d.top;

-- name: positionOfContainer
SELECT p.location_id, round(date_part('epoch', p.located_since) * 1000) AS since
FROM asset_positions p
WHERE p.org_id = $1
AND p.asset_id = $2;

-- name: endContainments
WITH given AS MATERIALIZED (
  SELECT l.asset_id, to_timestamp(l.ms / 1000) AS left_at
  FROM unnest($1::int[], $2::float8[]) AS l (asset_id, ms)
),
gone AS (
  UPDATE asset_containments k
  SET until = greatest(k.since, CASE WHEN c.deleted_at IS NULL OR c.deleted_at > g.left_at THEN g.left_at ELSE c.deleted_at END),
    ended_by = CASE WHEN c.deleted_at IS NULL OR c.deleted_at > g.left_at THEN $3 ELSE 'deletion' END, taken_out_by = CASE
    WHEN c.deleted_at IS NULL OR c.deleted_at > g.left_at THEN $4::int END
  FROM given g, assets c
  WHERE k.org_id = $5
  AND k.asset_id = g.asset_id
  AND k.until IS NULL
  AND c.org_id = k.org_id
  AND c.id = k.container_id
  RETURNING k.asset_id, k.ended_by, c.id, c.name, c.external_key
),
logged AS (
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before)
  SELECT $6, date_trunc('milliseconds', clock_timestamp()), 'asset', a.id::text, a.name, 'taken_out', $7, $8, $9::uuid,
    json_build_object('container', g.name || ' (' || g.external_key || ')', 'container_id', g.id)
  FROM gone g
  JOIN assets a ON a.org_id = $10
  AND a.id = g.asset_id
  WHERE g.ended_by <> 'deletion'
  AND NOT $11
)
SELECT g.asset_id, json_build_object('id', g.id, 'name', g.name, 'external_key', g.external_key) AS was_in
FROM gone g
WHERE g.ended_by <> 'deletion';

-- name: endInDeleted
UPDATE asset_containments k
SET until = greatest(k.since, c.deleted_at), ended_by = 'deletion'
FROM assets c
WHERE k.org_id = $1
AND k.asset_id = ANY($2::int[])
AND k.until IS NULL
AND c.org_id = k.org_id
AND c.id = k.container_id
AND c.deleted_at IS NOT NULL;

-- name: endOfDeletedInside
WITH RECURSIVE down AS (
  SELECT NULL::int AS containment_id, g.id AS asset_id, 0 AS level
  FROM unnest($1::int[]) AS g (id)
  UNION ALL SELECT k.id, k.asset_id, d.level + 1
  FROM down d
  JOIN asset_containments k ON k.org_id = $2
  AND k.container_id = d.asset_id
  AND k.until IS NULL
  WHERE d.level <= $3
) UPDATE asset_containments k
SET until = greatest(k.since, a.deleted_at), ended_by = 'deletion'
FROM down d, assets a
WHERE k.org_id = $4
AND k.id = d.containment_id
AND a.org_id = k.org_id
AND a.id = k.asset_id
AND a.deleted_at IS NOT NULL;

-- name: startContainments
WITH given AS (SELECT * FROM unnest($1::int[], $2::int[]) AS g (asset_id, former_id)), started AS (
  INSERT INTO asset_containments (org_id, asset_id, container_id, since, put_in_by)
  SELECT $3, g.asset_id, $4::int, to_timestamp($5::float8 / 1000), $6::int
  FROM given g
) INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before,
  after)
SELECT $7, date_trunc('milliseconds', clock_timestamp()), 'asset', a.id::text, a.name, 'put_in', $8, $9, $10::uuid, CASE
  WHEN f.id IS NOT NULL THEN json_build_object('container', f.name || ' (' || f.external_key || ')', 'container_id', f.id) END,
  json_build_object('container', c.name || ' (' || c.external_key || ')', 'container_id', c.id)
FROM given g
JOIN assets a ON a.org_id = $11
AND a.id = g.asset_id
JOIN assets c ON c.org_id = $12
AND c.id = $13::int
LEFT JOIN assets f ON f.org_id = $14
AND f.id = g.former_id;

-- name: announceContainments
SELECT count(pg_notify($1, n.payload)::text)::int
FROM unnest($2::text[]) AS n (payload);

-- name: nameOfContainer
SELECT a.id, a.name, a.external_key
FROM assets a
WHERE a.org_id = $1
AND a.id = $2
AND a.deleted_at IS NULL;
