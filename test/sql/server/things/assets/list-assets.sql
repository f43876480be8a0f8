-- name: listAssets
WITH RECURSIVE by_text AS MATERIALIZED (
  SELECT a.id, a.created_at
  FROM assets a
  WHERE a.org_id = $1
  AND a.deleted_at IS NULL
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
  AND search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($2::int, fold_case($3)))
  AND search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($4))
),
by_tag AS MATERIALIZED (
  SELECT a.id, a.created_at
  FROM assets a
  WHERE a.org_id = $5
  AND a.deleted_at IS NULL
  AND a.valid_from <= statement_timestamp()
  AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())
  AND a.id = ANY(ARRAY(
    SELECT t.asset_id
    FROM tags t
    WHERE t.org_id = $6
    AND t.deleted_at IS NULL
    AND t.asset_id IS NOT NULL
    AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($7::int, fold_case($8)))
    AND fold_case(t.value) LIKE (SELECT fold_case($9))
    AND (t.asset_id IN (SELECT id FROM by_text)) IS NOT TRUE
  ))
),
matched AS NOT MATERIALIZED (SELECT * FROM by_text UNION ALL SELECT * FROM by_tag),
  page AS MATERIALIZED (SELECT a.id FROM matched a ORDER BY a.created_at DESC, a.id ASC LIMIT $10 OFFSET $11),
  counts AS (SELECT (SELECT count(*)::float8 FROM matched a) AS total_count)
SELECT counts.*, a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
  a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
  a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at, round(date_part('epoch',
  a.deleted_at) * 1000) AS deleted_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = a.org_id
  AND t.asset_id = a.id
) AS tags
FROM counts
LEFT JOIN (page CROSS JOIN LATERAL (SELECT * FROM assets r WHERE r.org_id = $12 AND r.id = page.id OFFSET 0) a) ON true
ORDER BY a.created_at DESC, a.id ASC;

-- name: listAssets
-- further: 00a58cbd95 010cfc2565 03b18f8a36 047c59c4e6 0c22a1212c 0c7577338c 0ed7a5131c 13f0b33686 1417636343 16581fe77e 1a6c28886f 1d68d81e7e
-- further: 32e36855b1 33efb6cbeb 4677a36778 515875d16c 53c39857a6 63d605443d 65b9bcf826 67909a8f38 69558589e7 73367be30a 740c079c3c 766cf70b5c
-- further: 77f128e8d1 7873e18c25 7c2b30b4a4 7cf336fa78 88145dcfb9 8def0459ca 9a34e87026 a2fdf759fb a399c05f0b a9a063e396 aaed69d7ee b891127a96
-- further: c980f5b85a d1f5810902 d6d8103fa7 e2a4bfae27 e9401e8fee ed9f5881ca f3e628d673 f7faa35b29
