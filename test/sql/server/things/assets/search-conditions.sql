-- name: workingSearchOf
SELECT id
FROM ((
  SELECT r.id
  FROM unnest($1::text[]) AS form (text)
  CROSS JOIN LATERAL (
    SELECT s.id
    FROM assets s
    WHERE s.org_id = $2
    AND s.deleted_at IS NULL
    AND (s.external_key >= form.text AND s.external_key < form.text || $3)
    LIMIT $4
  ) r
) UNION (
  SELECT r.id
  FROM unnest($5::text[]) AS form (text)
  CROSS JOIN LATERAL (
    SELECT s.id
    FROM assets s
    WHERE s.org_id = $6
    AND s.deleted_at IS NULL
    AND (s.name >= form.text AND s.name < form.text || $7)
    LIMIT $8
  ) r
)) found
LIMIT 1;

-- name: workingSearchOf
SELECT id
FROM ((
  SELECT s.id
  FROM assets s
  WHERE s.org_id = $1
  AND s.deleted_at IS NULL
  AND search_grams(s.org_id, search_text(s.name, s.external_key, s.description)) @@ (SELECT search_query($2::int, fold_case($3)))
  AND ((SELECT char_length(fold_case($4)) <= $5::int) OR search_text(s.name, s.external_key,
    s.description) LIKE (SELECT fold_case($6)))
  LIMIT $7
) UNION (
  SELECT t.asset_id AS id
  FROM tags t
  WHERE t.org_id = $8
  AND t.deleted_at IS NULL
  AND t.asset_id IS NOT NULL
  AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($9::int, fold_case($10)))
  AND ((SELECT char_length(fold_case($11)) <= $12::int) OR fold_case(t.value) LIKE (SELECT fold_case($13)))
  LIMIT $14
)) found
LIMIT 1;

-- name: workingSearchOf
-- further: 08dacee46b 2f2f64e1dd 334681ef16 3b028091c9 5bc4e545b3 60f9ddf465 687b5ff95e 6f214da69b 817d3bd4cc 81eaeed1f5 91212557f8 af9599d055
-- further: c8964f4da1 d7b7849a0f e16e3ea995 e472d15cb8 e8241d6fe2 ea7ec06423 eaa82ccf48
