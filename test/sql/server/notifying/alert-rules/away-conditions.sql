-- name: findAway
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
),
below AS (
  SELECT l.id AS own_id, l.id
  FROM locations l
  WHERE l.org_id = $8::int
  AND l.deleted_at IS NULL
  AND EXISTS (SELECT FROM assets a WHERE a.org_id = $9::int AND a.belongs_to_id = l.id AND a.deleted_at IS NULL)
  UNION ALL SELECT b.own_id, c.id
  FROM below b
  JOIN locations c ON c.org_id = $10::int
  AND c.parent_id = b.id
  AND c.deleted_at IS NULL
)
SELECT c.asset_id, NULL::int AS reader_id, c.location_id, c.belongs_to_id, round(date_part('epoch', c.since) * 1000) AS since,
  NULL::float8 AS value, EXISTS (
  SELECT
  FROM assets a
  WHERE a.org_id = c.org_id
  AND a.id = c.asset_id
  AND a.deleted_at IS NULL
  AND a.is_active
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
)
AND NOT EXISTS (
  SELECT
  FROM alerts n
  WHERE n.rule_id = $11::int
  AND n.subject = 'asset:' || c.asset_id
  AND n.is_condition
  AND n.ended_at IS NULL
) AS is_reportable
FROM (
  SELECT $12::int AS org_id, p.asset_id, p.location_id, p.belongs_to_id, coalesce(h.left_at, p.located_since) AS since
  FROM (
    SELECT f.id
    FROM away w
    CROSS JOIN LATERAL (
      SELECT p.asset_id AS id
      FROM asset_positions p
      WHERE p.org_id = $13
      AND p.belongs_to_id IS NOT NULL
      AND p.location_id IS NOT NULL
      AND p.hidden_by IN (0, 2)
      AND p.belongs_to_id = w.belongs_to_id
      AND p.location_id = w.location_id
      OFFSET 0
    ) f
  ) w
  JOIN asset_positions p ON p.org_id = $14::int
  AND p.asset_id = w.id
  LEFT JOIN LATERAL (
    SELECT v.left_at
    FROM asset_visits v
    WHERE v.org_id = $15::int
    AND v.asset_id = p.asset_id
    AND v.location_id = ANY(ARRAY(SELECT b.id FROM below b WHERE b.own_id = p.belongs_to_id))
    ORDER BY v.arrived_at DESC
    LIMIT 1
  ) h ON true
  WHERE coalesce(h.left_at, p.located_since) <= to_timestamp($16::float8 / 1000)
  AND coalesce(h.left_at, p.located_since) > coalesce(to_timestamp($17::float8 / 1000), '-infinity')
  ORDER BY 5 FETCH FIRST ($18::int) ROWS WITH TIES
) c
ORDER BY c.since, c.asset_id;

-- name: endAway
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
) UPDATE alerts a
SET ended_at = date_trunc('milliseconds', clock_timestamp())
WHERE a.rule_id = $8::int
AND a.is_condition
AND a.ended_at IS NULL
AND (NOT EXISTS (
  SELECT
  FROM asset_positions p
  JOIN away w USING (belongs_to_id, location_id)
  WHERE p.org_id = a.org_id
  AND p.asset_id = a.asset_id
) OR NOT EXISTS (
  SELECT
  FROM assets s
  WHERE s.org_id = a.org_id
  AND s.id = a.asset_id
  AND s.deleted_at IS NULL
  AND s.is_active
));
