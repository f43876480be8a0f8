-- name: listAuditRows
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND true
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND true
),
page AS MATERIALIZED (
  SELECT *
  FROM audits u
  WHERE u.org_id = $4
  AND u.location_id = ANY (ARRAY(SELECT d.id FROM down d))
  ORDER BY u.saved_at DESC, u.id DESC
  LIMIT $5
  OFFSET $6
),
counts AS (
  SELECT (
    SELECT count(*)::float8
    FROM audits u
    WHERE u.org_id = $7
    AND u.location_id = ANY (ARRAY(SELECT d.id FROM down d))
  ) AS total_count
)
SELECT counts.*, u.id, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name, 'external_key',
  l.external_key, 'is_deleted', l.deleted_at IS NOT NULL) END AS location, round(date_part('epoch',
  u.started_at) * 1000) AS started_at, round(date_part('epoch', u.saved_at) * 1000) AS saved_at, p.name AS saved_by, u.found,
  u.missing, u.unexpected, u.unassigned
FROM counts
LEFT JOIN (page u JOIN locations l ON l.org_id = $8 AND l.id = u.location_id LEFT JOIN users p ON p.id = u.saved_by) ON true
ORDER BY u.saved_at DESC, u.id DESC;

-- name: listAuditRows
-- further: 191756814b 32809703b4 6366dafb81 87d5e221eb

-- name: findAudit
SELECT u.id, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name, 'external_key', l.external_key,
  'is_deleted', l.deleted_at IS NOT NULL) END AS location, round(date_part('epoch', u.started_at) * 1000) AS started_at,
  round(date_part('epoch', u.saved_at) * 1000) AS saved_at, p.name AS saved_by, u.found, u.missing, u.unexpected, u.unassigned
FROM audits u
JOIN locations l ON l.org_id = $1
AND l.id = u.location_id
LEFT JOIN users p ON p.id = u.saved_by
WHERE u.org_id = $2
AND u.id = $3;

-- name: listItemRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT *
  FROM audit_items i
  WHERE i.org_id = $1
  AND i.audit_id = $2
  AND i.outcome = $3
  ORDER BY i.position
  LIMIT $4
  OFFSET $5
),
counts AS (
  SELECT (
    SELECT count(*)::float8
    FROM audit_items i
    WHERE i.org_id = $6
    AND i.audit_id = $7
    AND i.outcome = $8
  ) AS total_count
)
SELECT counts.*, i.position AS id, i.outcome, CASE WHEN i.asset_id IS NOT NULL THEN json_build_object('id', i.asset_id,
  'external_key', coalesce(i.external_key, '')) END AS asset, i.name, CASE
  WHEN i.last_location_id IS NOT NULL THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name,
  '')) END AS last_location, round(date_part('epoch', i.last_seen_at) * 1000) AS last_seen_at
FROM counts
LEFT JOIN page i ON true
ORDER BY i.position;

-- name: listItemRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT *
  FROM audit_items i
  WHERE i.org_id = $1
  AND i.audit_id = $2
  ORDER BY i.position
  LIMIT $3
  OFFSET $4
),
counts AS (
  SELECT (SELECT count(*)::float8 FROM audit_items i WHERE i.org_id = $5 AND i.audit_id = $6) AS total_count
)
SELECT counts.*, i.position AS id, i.outcome, CASE WHEN i.asset_id IS NOT NULL THEN json_build_object('id', i.asset_id,
  'external_key', coalesce(i.external_key, '')) END AS asset, i.name, CASE
  WHEN i.last_location_id IS NOT NULL THEN json_build_object('id', i.last_location_id, 'name', coalesce(i.last_location_name,
  '')) END AS last_location, round(date_part('epoch', i.last_seen_at) * 1000) AS last_seen_at
FROM counts
LEFT JOIN page i ON true
ORDER BY i.position;

-- name: listDifferenceRows
WITH RECURSIVE matched AS MATERIALIZED (
  SELECT d.*, (row_number() OVER (ORDER BY d.name COLLATE natural_order, d.asset_id))::int AS id
  FROM (
    SELECT coalesce(n.asset_id, e.asset_id) AS asset_id, coalesce(n.name, e.name) AS name, coalesce(n.external_key,
      e.external_key) AS external_key, e.outcome AS before, n.outcome AS after
    FROM (
      SELECT i.asset_id, i.name, i.external_key, i.outcome, coalesce('a' || i.asset_id, 'v' || i.name) AS key
      FROM audit_items i
      WHERE i.org_id = $1
      AND i.audit_id = $2
    ) e
    FULL JOIN (
      SELECT i.asset_id, i.name, i.external_key, i.outcome, coalesce('a' || i.asset_id, 'v' || i.name) AS key
      FROM audit_items i
      WHERE i.org_id = $3
      AND i.audit_id = $4
    ) n ON n.key = e.key
    WHERE e.outcome IS DISTINCT FROM n.outcome
  ) d
),
page AS MATERIALIZED (SELECT * FROM matched d ORDER BY d.id LIMIT $5 OFFSET $6),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched) AS total_count)
SELECT counts.*, d.id, CASE WHEN d.asset_id IS NOT NULL THEN json_build_object('id', d.asset_id, 'external_key',
  coalesce(d.external_key, '')) END AS asset, d.name, d.before, d.after
FROM counts
LEFT JOIN page d ON true
ORDER BY d.id;
