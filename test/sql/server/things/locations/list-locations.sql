-- name: listLocations
WITH RECURSIVE by_text AS MATERIALIZED (
  SELECT l.id, l.external_key
  FROM locations l
  WHERE l.org_id = $1
  AND l.deleted_at IS NULL
  AND l.valid_from <= statement_timestamp()
  AND (l.valid_to IS NULL OR l.valid_to > statement_timestamp())
  AND l.external_key = ANY($2::text[])
  AND search_grams(l.org_id, search_text(l.name, l.external_key, l.description)) @@ (SELECT search_query($3::int, fold_case($4)))
  AND search_text(l.name, l.external_key, l.description) LIKE (SELECT fold_case($5))
),
by_tag AS MATERIALIZED (
  SELECT l.id, l.external_key
  FROM locations l
  WHERE l.org_id = $6
  AND l.deleted_at IS NULL
  AND l.valid_from <= statement_timestamp()
  AND (l.valid_to IS NULL OR l.valid_to > statement_timestamp())
  AND l.external_key = ANY($7::text[])
  AND l.id = ANY(ARRAY(
    SELECT t.location_id
    FROM tags t
    WHERE t.org_id = $8
    AND t.deleted_at IS NULL
    AND t.location_id IS NOT NULL
    AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($9::int, fold_case($10)))
    AND fold_case(t.value) LIKE (SELECT fold_case($11))
    AND (t.location_id IN (SELECT id FROM by_text)) IS NOT TRUE
  ))
),
matched AS NOT MATERIALIZED (SELECT * FROM by_text UNION ALL SELECT * FROM by_tag),
  page AS MATERIALIZED (SELECT l.id FROM matched l ORDER BY l.external_key ASC LIMIT $12 OFFSET $13),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched l) AS total_count)
SELECT counts.*, l.id, l.external_key, l.name, l.description, l.parent_id,
  (SELECT p.external_key FROM locations p WHERE p.org_id = l.org_id AND p.id = l.parent_id) AS parent_external_key, l.is_active,
  round(date_part('epoch', l.valid_from) * 1000) AS valid_from, round(date_part('epoch', l.valid_to) * 1000) AS valid_to,
  round(date_part('epoch', l.created_at) * 1000) AS created_at, round(date_part('epoch', l.updated_at) * 1000) AS updated_at,
  round(date_part('epoch', l.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = l.org_id
  AND t.location_id = l.id
) AS tags
FROM counts
LEFT JOIN (page CROSS JOIN LATERAL (SELECT * FROM locations r WHERE r.org_id = $14 AND r.id = page.id OFFSET 0) l) ON true
ORDER BY l.external_key ASC;

-- name: listLocations
-- further: 06cfc55503 0d62da3940 0f6c0a862e 11ab430da1 11da445021 16a093f898 1b1562f366 1f9035a482 24b1d4a7ba 3516d6b2b3 35a946418e 35deb0a0f5
-- further: 4661e79e8c 4e8df98d4c 5400e3a1aa 592cc8c46c 5aecdb5d00 5e21062bee 5e2664e61d 5ec4d05db7 6849f12bc2 6d27016f6f 7d689dd56d 894d1458dc
-- further: 90fcb6ff01 968ac185cb 9a56616f46 a5370b09e9 a610d6fcff a6cd5bfcc0 b32ac9ab3e b7bde36572 c1248e1923 c389a537c4 dcd81ca47c df248a6a94
-- further: e14e6b35d3 e5f7b4db3e e998ced893 eae6af3eec f2926f062b
