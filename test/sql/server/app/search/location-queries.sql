-- name: findLocations
WITH RECURSIVE beginning AS MATERIALIZED (
  SELECT b.id, min(b.rank) AS rank
  FROM (
    SELECT r.id, 0 AS rank
    FROM locations r
    WHERE r.org_id = $1
    AND r.deleted_at IS NULL
    AND r.external_key = ANY ($2::text[])
    UNION ALL SELECT k.id, 1
    FROM unnest($3::text[]) AS form (text)
    CROSS JOIN LATERAL (
      SELECT r.id
      FROM locations r
      WHERE r.org_id = $4
      AND r.deleted_at IS NULL
      AND (r.external_key >= form.text AND r.external_key < form.text || $5)
      ORDER BY r.external_key
      LIMIT $6
    ) k
    UNION ALL SELECT n.id, 2
    FROM unnest($7::text[]) AS form (text)
    CROSS JOIN LATERAL (
      SELECT r.id
      FROM locations r
      WHERE r.org_id = $8
      AND r.deleted_at IS NULL
      AND (r.name >= form.text AND r.name < form.text || $9)
      ORDER BY r.name, r.id
      LIMIT $10
    ) n
  ) b
  GROUP BY b.id
  ORDER BY 2, 1
  LIMIT $11
),
contained AS MATERIALIZED (
  SELECT r.id
  FROM locations r
  WHERE r.org_id = $12
  AND r.deleted_at IS NULL
  AND search_grams(r.org_id, search_text(r.name, r.external_key, r.description)) @@ (SELECT search_query($13::int,
    fold_case($14)))
  AND ((SELECT char_length(fold_case($15)) <= $16::int) OR search_text(r.name, r.external_key,
    r.description) LIKE (SELECT fold_case($17)))
  AND r.id NOT IN (SELECT id FROM beginning)
  LIMIT $18::bigint - (SELECT count(*) FROM beginning)
),
named AS (SELECT id FROM beginning WHERE false), up AS (
  SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.name
  FROM (SELECT id FROM beginning UNION SELECT id FROM contained UNION SELECT id FROM named) f
  JOIN locations l ON l.org_id = $19
  AND l.id = f.id
  UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.name
  FROM up
  JOIN locations p ON p.org_id = $20
  AND p.id = up.parent_id
  AND p.deleted_at IS NULL
),
paths AS (
  SELECT start_id AS start, coalesce(array_agg(name ORDER BY distance DESC) FILTER (WHERE distance > 0), '{}') AS path
  FROM up
  GROUP BY start_id
)
SELECT l.id, l.external_key, l.name, l.is_active, paths.path
FROM paths
JOIN locations l ON l.org_id = $21
AND l.id = paths.start
LEFT JOIN beginning b ON b.id = l.id
WHERE b.id IS NOT NULL OR l.id IN (SELECT id FROM contained) OR (false)
ORDER BY coalesce(b.rank, 3), cardinality(paths.path), l.name COLLATE natural_order, l.external_key
LIMIT $22;

-- name: findLocations
-- further: 1cc5a47704 2592dc4636 4f19f9b4f2 613558bb3a 74f037c0b7 8ce3220c07 91cec4114a 9d9acba087 a1a6a19a3e b7916724dd ef0768f23b
