-- name: listMissingRows
WITH RECURSIVE down AS (
  SELECT l.id AS top, l.id
  FROM locations l
  WHERE l.org_id = $1
  AND l.id = $2::int
  AND l.deleted_at IS NULL
  UNION ALL SELECT d.top, c.id
  FROM down d
  JOIN locations c ON c.org_id = $3
  AND c.parent_id = d.id
  AND c.deleted_at IS NULL
),
pair AS (
  SELECT o.id AS belongs_to_id, n.location_id
  FROM down o
  CROSS JOIN LATERAL (
    SELECT p.location_id
    FROM asset_positions p
    WHERE p.org_id = $4
    AND p.belongs_to_id IS NOT NULL
    AND p.location_id IS NOT NULL
    AND p.hidden_by IN (0, 2)
    AND p.belongs_to_id = o.id
    ORDER BY p.location_id
    LIMIT 1
  ) n
  UNION ALL SELECT t.belongs_to_id, n.location_id
  FROM pair t
  CROSS JOIN LATERAL (
    SELECT p.location_id
    FROM asset_positions p
    WHERE p.org_id = $5
    AND p.belongs_to_id IS NOT NULL
    AND p.location_id IS NOT NULL
    AND p.hidden_by IN (0, 2)
    AND p.belongs_to_id = t.belongs_to_id
    AND p.location_id > t.location_id
    ORDER BY p.location_id
    LIMIT 1
  ) n
),
away AS (SELECT t.* FROM pair t WHERE NOT EXISTS (SELECT FROM down d WHERE d.id = t.location_id)), missing (asset_id,
  belongs_to_id, location_id) AS (
  SELECT f.id, w.belongs_to_id, w.location_id
  FROM away w
  CROSS JOIN LATERAL (
    SELECT p.asset_id AS id
    FROM asset_positions p
    WHERE p.org_id = $6
    AND p.belongs_to_id IS NOT NULL
    AND p.location_id IS NOT NULL
    AND p.hidden_by IN (0, 2)
    AND p.belongs_to_id = w.belongs_to_id
    AND p.location_id = w.location_id
    OFFSET 0
  ) f
  UNION ALL SELECT a.id, a.belongs_to_id, NULL
  FROM assets a
  WHERE a.org_id = $7
  AND a.belongs_to_id IS NOT NULL
  AND a.deleted_at IS NULL
  AND a.belongs_to_id = ANY(ARRAY(SELECT d.id FROM down d))
  AND NOT EXISTS (
    SELECT
    FROM asset_positions p
    WHERE p.org_id = $8
    AND p.asset_id = a.id
    AND p.location_id IS NOT NULL
  )
),
matched AS MATERIALIZED (
  SELECT *
  FROM (
    SELECT s.*, a.external_key, a.name, a.kind_id, o.name AS own_name
    FROM missing s
    JOIN assets a ON a.org_id = $9
    AND a.id = s.asset_id
    JOIN locations o ON o.org_id = $10
    AND o.id = s.belongs_to_id
  ) m
),
page AS MATERIALIZED (
  SELECT *
  FROM matched m
  ORDER BY m.own_name COLLATE natural_order, m.belongs_to_id, m.name COLLATE natural_order, m.asset_id
  LIMIT $11
  OFFSET $12
),
counts AS (
  SELECT (SELECT count(*)::float8 FROM matched) AS total_count, (
    SELECT coalesce(json_agg(json_build_object('kind', CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'name',
      k.name) END, 'assets', c.n, 'places', c.places) ORDER BY c.n DESC, c.kind_id), '[]')
    FROM (
      SELECT g.kind_id, sum(g.n) AS n, json_agg(json_build_object('location', CASE
        WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name) END, 'assets',
        g.n) ORDER BY g.rank) FILTER (WHERE g.rank <= $13) AS places
      FROM (
        SELECT m.kind_id, m.location_id, count(*) AS n, row_number() OVER (PARTITION BY m.kind_id ORDER BY count(*) DESC,
          m.location_id) AS rank
        FROM matched m
        GROUP BY m.kind_id, m.location_id
      ) g
      LEFT JOIN locations l ON l.org_id = $14
      AND l.id = g.location_id
      GROUP BY g.kind_id
      ORDER BY n DESC, g.kind_id
      LIMIT $15
    ) c
    LEFT JOIN asset_kinds k ON k.org_id = $16
    AND k.id = c.kind_id
  ) AS by_kind
)
SELECT counts.*, m.asset_id AS id, m.external_key, m.name, CASE WHEN k.id IS NOT NULL THEN json_build_object('id', k.id, 'name',
  k.name) END AS kind, CASE WHEN m.asset_id IS NOT NULL THEN json_build_object('id', m.belongs_to_id, 'name',
  m.own_name) END AS belongs_to, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name', l.name) END AS location,
  CASE WHEN l.id IS NOT NULL THEN round(date_part('epoch', p.located_since) * 1000) END AS located_since,
  round(date_part('epoch', p.asset_last_seen) * 1000) AS last_seen
FROM counts
LEFT JOIN (page m LEFT JOIN asset_kinds k ON k.org_id = $17 AND k.id = m.kind_id LEFT JOIN asset_positions p ON p.org_id = $18 AND p.asset_id = m.asset_id LEFT JOIN locations l ON l.org_id = $19 AND l.id = m.location_id) ON true
ORDER BY m.own_name COLLATE natural_order, m.belongs_to_id, m.name COLLATE natural_order, m.asset_id;

-- name: listMissingRows
-- further: f2403a4e73
