-- name: readWordSearch
WITH RECURSIVE down AS (
  SELECT id, mask
  FROM ((
    SELECT l.id, $1::int AS mask
    FROM locations l
    WHERE l.org_id = $2
    AND l.deleted_at IS NULL
    AND ((search_grams(l.org_id, search_text(l.name, l.external_key, l.description)) @@ (SELECT search_query($3::int,
      fold_case($4))) AND ((SELECT char_length(fold_case($5)) <= $6::int) OR search_text(l.name, l.external_key,
      l.description) LIKE (SELECT fold_case($7)))))
    AND ((fold_case(l.name || ' ' || l.external_key) LIKE (SELECT fold_case($8))))
    LIMIT $9
  ) UNION ALL (
    SELECT l.id, $10::int AS mask
    FROM locations l
    WHERE l.org_id = $11
    AND l.deleted_at IS NULL
    AND ((search_grams(l.org_id, search_text(l.name, l.external_key, l.description)) @@ (SELECT search_query($12::int,
      fold_case($13))) AND ((SELECT char_length(fold_case($14)) <= $15::int) OR search_text(l.name, l.external_key,
      l.description) LIKE (SELECT fold_case($16)))))
    AND ((fold_case(l.name || ' ' || l.external_key) LIKE (SELECT fold_case($17))))
    LIMIT $18
  ) UNION ALL (
    SELECT l.id, $19::int AS mask
    FROM locations l
    WHERE l.org_id = $20
    AND l.deleted_at IS NULL
    AND ((search_grams(l.org_id, search_text(l.name, l.external_key, l.description)) @@ (SELECT search_query($21::int,
      fold_case($22))) AND ((SELECT char_length(fold_case($23)) <= $24::int) OR search_text(l.name, l.external_key,
      l.description) LIKE (SELECT fold_case($25)))))
    AND ((fold_case(l.name || ' ' || l.external_key) LIKE (SELECT fold_case($26))))
    LIMIT $27
  )) named
  UNION
  SELECT l.id, down.mask
  FROM down
  JOIN locations l ON l.org_id = $28
  AND l.parent_id = down.id
  AND l.deleted_at IS NULL
)
SELECT mask, array_agg(id) AS ids
FROM (SELECT id, bit_or(mask) AS mask FROM down GROUP BY id) location
GROUP BY mask
ORDER BY length(replace(mask::bit(8)::text, '0', '')) DESC
LIMIT $29;

-- name: readWordSearch
-- further: 0ce7fd55f1 78991a0c93 7e87aa0865 81e0f471f3 a54a220104 cdd513244b d71320ae47 e76a223d8a
