-- name: findPath
SELECT (
  WITH RECURSIVE up AS (
    SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.name, l.external_key
    FROM (SELECT l.*) l
    UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.name, p.external_key
    FROM up
    JOIN locations p ON p.org_id = $1
    AND p.id = up.parent_id
    AND p.deleted_at IS NULL
  )
  SELECT json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.distance DESC)
  FROM up
) AS path
FROM locations l
WHERE l.org_id = $2
AND l.id = $3
AND l.deleted_at IS NULL;

-- name: firstByPath
WITH RECURSIVE walk AS (
  SELECT c.id, ARRAY[c.name COLLATE natural_order, lpad(c.id::text, 10, '0')] AS sort_key,
    row_number() OVER (ORDER BY c.name COLLATE natural_order, c.id) AS rank
  FROM (
    SELECT r.id, r.name
    FROM locations r
    WHERE r.org_id = $1
    AND r.deleted_at IS NULL
    AND r.parent_id IS NULL
    ORDER BY r.name COLLATE natural_order, r.id
    LIMIT $2
  ) c
  UNION ALL SELECT c.id, w.sort_key || ARRAY[c.name COLLATE natural_order, lpad(c.id::text, 10, '0')],
    row_number() OVER (ORDER BY w.sort_key || ARRAY[c.name COLLATE natural_order, lpad(c.id::text, 10, '0')])
  FROM walk w
  CROSS JOIN LATERAL (
    SELECT r.id, r.name
    FROM locations r
    WHERE r.org_id = $3
    AND r.deleted_at IS NULL
    AND r.parent_id = w.id
    ORDER BY r.name COLLATE natural_order, r.id
    LIMIT $4
  ) c
  WHERE w.rank <= $5
  AND cardinality(w.sort_key) < $6
),
page AS (SELECT id, sort_key FROM walk ORDER BY sort_key LIMIT $7)
SELECT l.id, l.external_key, l.name, l.is_active, (
  WITH RECURSIVE up AS (
    SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.name, l.external_key
    FROM (SELECT l.*) l
    UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.name, p.external_key
    FROM up
    JOIN locations p ON p.org_id = $8
    AND p.id = up.parent_id
    AND p.deleted_at IS NULL
  )
  SELECT json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.distance DESC)
  FROM up
) AS path
FROM page
JOIN locations l ON l.org_id = $9
AND l.id = page.id
ORDER BY page.sort_key;

-- name: searchPaths
WITH RECURSIVE asked AS MATERIALIZED (
  SELECT fold_case($1) AS pattern0, fold_case($2) AS word0, fold_case($3) AS pattern1, fold_case($4) AS word1,
    fold_case($5) AS pattern2, fold_case($6) AS word2, fold_case($7) AS pattern3, fold_case($8) AS word3,
    fold_case($9) AS pattern4, fold_case($10) AS word4, fold_case($11) AS pattern8, fold_case($12) AS word8,
    fold_case($13) AS pattern9, fold_case($14) AS word9, fold_case($15) AS pattern10, fold_case($16) AS word10,
    fold_case($17) AS pattern11, fold_case($18) AS word11
),
matched AS MATERIALIZED (
  SELECT r.id, r.parent_id, CASE WHEN t.name LIKE asked.pattern0 OR t.key LIKE asked.pattern0 THEN 1 ELSE 0 END | CASE
    WHEN t.name LIKE asked.pattern1 OR t.key LIKE asked.pattern1 THEN 2 ELSE 0 END | CASE WHEN t.name LIKE asked.pattern2
    OR t.key = asked.word2 THEN 4 ELSE 0 END | CASE WHEN t.name LIKE asked.pattern3 OR t.key LIKE asked.pattern3 THEN 8
    ELSE 0 END | CASE WHEN t.name LIKE asked.pattern4 OR t.key = asked.word4 THEN 16 ELSE 0 END | CASE
    WHEN t.name LIKE asked.pattern8 OR t.key LIKE asked.pattern8 THEN 256 ELSE 0 END | CASE WHEN t.name LIKE asked.pattern9
    OR t.key LIKE asked.pattern9 THEN 512 ELSE 0 END | CASE WHEN t.name LIKE asked.pattern10
    OR t.key LIKE asked.pattern10 THEN 1024 ELSE 0 END | CASE WHEN t.name LIKE asked.pattern11
    OR t.key LIKE asked.pattern11 THEN 2048 ELSE 0 END AS own
  FROM locations r
  CROSS JOIN asked
  CROSS JOIN LATERAL (SELECT fold_case(r.name) AS name, fold_case(r.external_key) AS key OFFSET 0) t
  WHERE r.org_id = $19
  AND r.deleted_at IS NULL
),
walk AS (
  SELECT s.id, s.own, s.own AS mask, 0 AS depth
  FROM matched s
  WHERE s.parent_id IS NULL
  UNION ALL SELECT s.id, s.own, w.mask | s.own, w.depth + 1
  FROM walk w
  JOIN matched s ON s.parent_id = w.id
),
page AS (
  SELECT w.id, w.depth, CASE WHEN fold_case(r.external_key) = fold_case($20) OR fold_case(r.name) = fold_case($21) THEN 0
    WHEN fold_case(r.name) LIKE fold_case($22) THEN 1 ELSE 2 END AS exactness, bit_count((w.mask >> $23::int)::bit(8)) AS pairs,
    bit_count((w.own & $24::int)::bit(8)) AS words, r.name COLLATE natural_order AS name
  FROM walk w
  JOIN locations r ON r.org_id = $25
  AND r.id = w.id
  WHERE w.mask & $26::int = $27::int
  AND w.own & $28::int <> 0
  ORDER BY exactness, pairs DESC, words DESC, depth, name, w.id
  LIMIT $29
)
SELECT l.id, l.external_key, l.name, l.is_active, (
  WITH RECURSIVE up AS (
    SELECT l.id AS start_id, 0 AS distance, l.id, l.parent_id, l.name, l.external_key
    FROM (SELECT l.*) l
    UNION ALL SELECT up.start_id, up.distance + 1, p.id, p.parent_id, p.name, p.external_key
    FROM up
    JOIN locations p ON p.org_id = $30
    AND p.id = up.parent_id
    AND p.deleted_at IS NULL
  )
  SELECT json_agg(json_build_object('id', up.id, 'name', up.name, 'external_key', up.external_key) ORDER BY up.distance DESC)
  FROM up
) AS path
FROM page
JOIN locations l ON l.org_id = $31
AND l.id = page.id
ORDER BY page.exactness, page.pairs DESC, page.words DESC, page.depth, page.name, page.id;

-- name: searchPaths
-- further: 184dd0b282 2e5d051322 76ff7d7ac4 957dc82634 d3e9ca026f e97c474105
