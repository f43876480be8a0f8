-- name: spellingsOf
SELECT c.text
FROM ((
  SELECT search_text(r.name, r.external_key, r.description) AS text
  FROM assets r
  WHERE r.org_id = $1
  AND r.deleted_at IS NULL
  AND search_grams(r.org_id, search_text(r.name, r.external_key, r.description)) @@ (
    SELECT search_query($2::int, fold_case($3)) || search_query($4::int, fold_case($5)) || search_query($6::int,
      fold_case($7)) || search_query($8::int, fold_case($9))
  )
  LIMIT $10
) UNION ALL (
  SELECT search_text(r.name, r.external_key, r.description) AS text
  FROM locations r
  WHERE r.org_id = $11
  AND r.deleted_at IS NULL
  AND search_grams(r.org_id, search_text(r.name, r.external_key, r.description)) @@ (
    SELECT search_query($12::int, fold_case($13)) || search_query($14::int, fold_case($15)) || search_query($16::int,
      fold_case($17)) || search_query($18::int, fold_case($19))
  )
  LIMIT $20
) UNION ALL SELECT fold_case(k.name) FROM asset_kinds k WHERE k.org_id = $21) c
WHERE c.text ~ fold_case($22)
ORDER BY strpos(c.text, fold_case($23)) = 0
LIMIT $24;
