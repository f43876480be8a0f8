-- name: matchContainers
UPDATE staged s
SET is_repacked = s.container_key IS DISTINCT FROM (
  SELECT c.external_key
  FROM asset_containments k
  JOIN assets c ON c.org_id = k.org_id
  AND c.id = k.container_id
  AND c.deleted_at IS NULL
  WHERE k.org_id = $1
  AND k.asset_id = s.id
  AND k.until IS NULL
)
WHERE s.is_valid;

-- name: skipUnknownContainers
UPDATE staged s
SET is_repacked = false
WHERE s.is_valid
AND s.container_key IS NOT NULL
AND NOT EXISTS (SELECT FROM staged c WHERE c.external_key = s.container_key)
AND NOT EXISTS (
  SELECT
  FROM assets c
  WHERE c.org_id = $1
  AND c.external_key = s.container_key
  AND c.deleted_at IS NULL
)
RETURNING s.line, s.container_key AS key;

-- name: misplaced
WITH RECURSIVE edge AS MATERIALIZED (
  SELECT s.line, coalesce(s.external_key, '#' || s.line) AS key, s.container_key
  FROM staged s
  WHERE s.is_valid
  AND s.container_key IS NOT NULL
  UNION ALL SELECT NULL, a.external_key, c.external_key
  FROM asset_containments k
  JOIN assets a ON a.org_id = k.org_id
  AND a.id = k.asset_id
  AND a.deleted_at IS NULL
  JOIN assets c ON c.org_id = k.org_id
  AND c.id = k.container_id
  AND c.deleted_at IS NULL
  WHERE k.org_id = $1
  AND k.until IS NULL
  AND NOT EXISTS (SELECT FROM staged s WHERE s.external_key = a.external_key AND s.is_valid)
),
reached AS (
  SELECT e.key, 1 AS level, e.line AS changed_line
  FROM edge e
  WHERE NOT EXISTS (SELECT FROM edge o WHERE o.key = e.container_key)
  UNION
  SELECT e.key, r.level + 1, coalesce(e.line, r.changed_line)
  FROM reached r
  JOIN edge e ON e.container_key = r.key
  WHERE r.level <= $2
)
SELECT e.line, e.key, e.container_key
FROM edge e
WHERE NOT EXISTS (SELECT FROM reached r WHERE r.key = e.key)
UNION ALL SELECT r.changed_line, NULL, NULL
FROM reached r
WHERE r.level > $3
AND r.changed_line IS NOT NULL
GROUP BY r.changed_line;

-- name: overfull
SELECT f.container_key AS key, f.lines[greatest(1, $1::int - kept.count)] AS line
FROM (
  SELECT s.container_key, array_agg(s.line ORDER BY s.line) AS lines
  FROM staged s
  WHERE s.is_valid
  AND s.container_key IS NOT NULL
  GROUP BY s.container_key
) f
CROSS JOIN LATERAL (
  SELECT count(*)::int AS count
  FROM assets c
  JOIN asset_containments k ON k.org_id = c.org_id
  AND k.container_id = c.id
  AND k.until IS NULL
  JOIN assets a ON a.org_id = k.org_id
  AND a.id = k.asset_id
  AND a.deleted_at IS NULL
  WHERE c.org_id = $2
  AND c.external_key = f.container_key
  AND c.deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM staged s WHERE s.external_key = a.external_key AND s.is_valid)
) kept
WHERE kept.count + cardinality(f.lines) > $3;

-- name: noticesOfContainers
SELECT min(s.line) AS line, count(*)::int AS count, s.container_key AS key
FROM staged s
WHERE s.is_valid
AND s.is_repacked
GROUP BY s.container_key
ORDER BY 1;

-- name: packAssets
SELECT array_agg(id ORDER BY id) AS ids
FROM (
  SELECT k.asset_id AS id, (row_number() OVER (ORDER BY k.asset_id) - 1) / $1 AS part
  FROM staged s
  JOIN asset_containments k ON k.org_id = $2
  AND k.asset_id = s.id
  AND k.until IS NULL
  WHERE s.is_repacked
) contained
GROUP BY part
ORDER BY part;

-- name: packAssets
SELECT container_id AS "containerId", array_agg(id ORDER BY id) AS "assetIds"
FROM (
  SELECT coalesce(s.id, s.new_id) AS id, coalesce(f.id, f.new_id, c.id) AS container_id
  FROM staged s
  LEFT JOIN staged f ON f.external_key = s.container_key
  LEFT JOIN assets c ON c.org_id = $1
  AND c.external_key = s.container_key
  AND c.deleted_at IS NULL
  WHERE s.is_repacked
  AND s.container_key IS NOT NULL
) wanted
GROUP BY container_id
ORDER BY container_id;
