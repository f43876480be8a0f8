-- name: findAwayPairs
WITH RECURSIVE own AS ((
  SELECT p.belongs_to_id AS id
  FROM asset_positions p
  WHERE p.org_id = $1
  AND p.belongs_to_id IS NOT NULL
  AND p.location_id IS NOT NULL
  AND p.hidden_by IN (0, 2)
  ORDER BY p.belongs_to_id
  LIMIT 1
) UNION ALL SELECT n.id FROM own CROSS JOIN LATERAL (
  SELECT p.belongs_to_id AS id
  FROM asset_positions p
  WHERE p.org_id = $2
  AND p.belongs_to_id IS NOT NULL
  AND p.location_id IS NOT NULL
  AND p.hidden_by IN (0, 2)
  AND p.belongs_to_id > own.id
  ORDER BY p.belongs_to_id
  LIMIT 1
) n), pair AS (
  SELECT o.id AS belongs_to_id, n.location_id
  FROM own
  JOIN locations o ON o.org_id = $3
  AND o.id = own.id
  AND o.deleted_at IS NULL
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
line AS (
  SELECT l.id AS location_id, l.id, l.parent_id
  FROM locations l
  WHERE l.org_id = $6
  AND l.id = ANY(ARRAY(SELECT DISTINCT location_id FROM pair))
  UNION ALL SELECT line.location_id, l.id, l.parent_id
  FROM line
  JOIN locations l ON l.org_id = $7
  AND l.id = line.parent_id
),
away AS (
  SELECT t.*
  FROM pair t
  WHERE NOT EXISTS (SELECT FROM line WHERE line.location_id = t.location_id AND line.id = t.belongs_to_id)
)
SELECT belongs_to_id, location_id
FROM away;

-- name: countAway
WITH RECURSIVE own AS ((
  SELECT p.belongs_to_id AS id
  FROM asset_positions p
  WHERE p.org_id = $1
  AND p.belongs_to_id IS NOT NULL
  AND p.location_id IS NOT NULL
  AND p.hidden_by IN (0, 2)
  ORDER BY p.belongs_to_id
  LIMIT 1
) UNION ALL SELECT n.id FROM own CROSS JOIN LATERAL (
  SELECT p.belongs_to_id AS id
  FROM asset_positions p
  WHERE p.org_id = $2
  AND p.belongs_to_id IS NOT NULL
  AND p.location_id IS NOT NULL
  AND p.hidden_by IN (0, 2)
  AND p.belongs_to_id > own.id
  ORDER BY p.belongs_to_id
  LIMIT 1
) n), pair AS (
  SELECT o.id AS belongs_to_id, n.location_id
  FROM own
  JOIN locations o ON o.org_id = $3
  AND o.id = own.id
  AND o.deleted_at IS NULL
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
line AS (
  SELECT l.id AS location_id, l.id, l.parent_id
  FROM locations l
  WHERE l.org_id = $6
  AND l.id = ANY(ARRAY(SELECT DISTINCT location_id FROM pair))
  UNION ALL SELECT line.location_id, l.id, l.parent_id
  FROM line
  JOIN locations l ON l.org_id = $7
  AND l.id = line.parent_id
),
away AS (
  SELECT t.*
  FROM pair t
  WHERE NOT EXISTS (SELECT FROM line WHERE line.location_id = t.location_id AND line.id = t.belongs_to_id)
)
SELECT count(*)::int AS n
FROM (
  SELECT 1
  FROM (
    SELECT f.id
    FROM away w
    CROSS JOIN LATERAL (
      SELECT p.asset_id AS id
      FROM asset_positions p
      WHERE p.org_id = $8
      AND p.belongs_to_id IS NOT NULL
      AND p.location_id IS NOT NULL
      AND p.hidden_by IN (0, 2)
      AND p.belongs_to_id = w.belongs_to_id
      AND p.location_id = w.location_id
      OFFSET 0
    ) f
  ) q
  LIMIT $9
) found;
