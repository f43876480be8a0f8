-- name: readAssets
SELECT a.id, a.external_key, a.name, a.kind_id, (
  SELECT json_object_agg(k.key, left(a.metadata ->> k.key, $1::int))
  FROM unnest($2::text[]) AS k (key)
  WHERE json_typeof(a.metadata -> k.key) IN ('string', 'number', 'boolean')
) AS metadata
FROM (SELECT DISTINCT * FROM unnest($3::int[], $4::int[]) AS r (org_id, id)) g
CROSS JOIN LATERAL (SELECT * FROM assets x WHERE x.org_id = g.org_id AND x.id = g.id LIMIT 1) a;

-- name: readLocations
WITH RECURSIVE up AS (
  SELECT l.id AS start, l.org_id, l.id, l.name, l.parent_id, 0 AS distance
  FROM (SELECT DISTINCT * FROM unnest($1::int[], $2::int[]) AS r (org_id, id)) g
  CROSS JOIN LATERAL (SELECT * FROM locations x WHERE x.org_id = g.org_id AND x.id = g.id LIMIT 1) l
  UNION ALL SELECT up.start, p.org_id, p.id, p.name, p.parent_id, up.distance + 1
  FROM up
  CROSS JOIN LATERAL (
    SELECT *
    FROM locations x
    WHERE x.org_id = up.org_id
    AND x.id = up.parent_id
    AND x.deleted_at IS NULL
    LIMIT 1
  ) p
)
SELECT s.id, s.external_key, s.name, lines.path, lines.line
FROM (
  SELECT up.start, up.org_id, array_agg(up.name ORDER BY up.distance DESC) AS path,
    array_agg(up.id ORDER BY up.distance DESC) AS line
  FROM up
  GROUP BY up.start, up.org_id
) lines
CROSS JOIN LATERAL (SELECT * FROM locations x WHERE x.org_id = lines.org_id AND x.id = lines.start LIMIT 1) s;

-- name: readReaders
SELECT r.id, r.org_id, r.name, r.location_id
FROM (SELECT DISTINCT * FROM unnest($1::int[], $2::int[]) AS r (org_id, id)) g
CROSS JOIN LATERAL (SELECT * FROM readers x WHERE x.org_id = g.org_id AND x.id = g.id LIMIT 1) r;

-- name: readUsers
SELECT u.id, u.name
FROM (SELECT DISTINCT * FROM unnest($1::int[], $2::int[]) AS r (org_id, id)) g
JOIN memberships m ON m.org_id = g.org_id
AND m.user_id = g.id
JOIN users u ON u.id = m.user_id;
