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
SELECT id
FROM ((
  SELECT s.id
  FROM assets s
  WHERE s.org_id = $1
  AND s.deleted_at IS NULL
  AND search_grams(s.org_id, search_text(s.name, s.external_key, s.description)) @@ (SELECT search_query($2::int, fold_case($3)))
  AND search_text(s.name, s.external_key, s.description) LIKE (SELECT fold_case($4))
  LIMIT $5
) UNION (
  SELECT t.asset_id AS id
  FROM tags t
  WHERE t.org_id = $6
  AND t.deleted_at IS NULL
  AND t.asset_id IS NOT NULL
  AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($7::int, fold_case($8)))
  AND fold_case(t.value) LIKE (SELECT fold_case($9))
  LIMIT $10
) UNION (
  SELECT a.id
  FROM assets a
  WHERE a.org_id = $11
  AND a.deleted_at IS NULL
  AND ((search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($12::int,
    fold_case($13))) AND ((SELECT char_length(fold_case($14)) <= $15::int) OR search_text(a.name, a.external_key,
    a.description) LIKE (SELECT fold_case($16)))))
  AND ((search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($17::int,
    fold_case($18))) AND ((SELECT char_length(fold_case($19)) <= $20::int) OR search_text(a.name, a.external_key,
    a.description) LIKE (SELECT fold_case($21)))))
  AND ((search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($22::int,
    fold_case($23))) AND ((SELECT char_length(fold_case($24)) <= $25::int) OR search_text(a.name, a.external_key,
    a.description) LIKE (SELECT fold_case($26)))))
  LIMIT $27
) UNION (
  SELECT a.id
  FROM (
    SELECT t.asset_id
    FROM tags t
    WHERE t.org_id = $28
    AND t.deleted_at IS NULL
    AND t.asset_id IS NOT NULL
    AND ((search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($29::int,
      fold_case($30))) AND ((SELECT char_length(fold_case($31)) <= $32::int) OR fold_case(t.value) LIKE (SELECT fold_case($33)))))
    LIMIT $34
  ) g
  JOIN assets a ON a.org_id = $35
  AND a.deleted_at IS NULL
  AND a.id = g.asset_id
  WHERE ((((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($36)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $37
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($38))))
  )) OR EXISTS (
    SELECT
    FROM asset_positions w
    WHERE w.org_id = $39
    AND w.asset_id = a.id
    AND w.location_id = ANY($40::int[])
  ))
  AND (((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($41)))) OR EXISTS (
    SELECT
    FROM asset_positions w
    WHERE w.org_id = $42
    AND w.asset_id = a.id
    AND w.location_id = ANY($43::int[])
  ))
  AND (((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($44)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $45
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($46))))
  ))
  AND ((((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($47)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $48
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($49))))
  )) OR (((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($50)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $51
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($52))))
  )))
) UNION (
  SELECT a.id
  FROM (
    SELECT t.asset_id
    FROM tags t
    WHERE t.org_id = $53
    AND t.deleted_at IS NULL
    AND t.asset_id IS NOT NULL
    AND ((search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($54::int,
      fold_case($55))) AND ((SELECT char_length(fold_case($56)) <= $57::int) OR fold_case(t.value) LIKE (SELECT fold_case($58)))))
    LIMIT $59
  ) g
  JOIN assets a ON a.org_id = $60
  AND a.deleted_at IS NULL
  AND a.id = g.asset_id
  WHERE ((((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($61)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $62
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($63))))
  )) OR EXISTS (
    SELECT
    FROM asset_positions w
    WHERE w.org_id = $64
    AND w.asset_id = a.id
    AND w.location_id = ANY($65::int[])
  ))
  AND (((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($66)))) OR EXISTS (
    SELECT
    FROM asset_positions w
    WHERE w.org_id = $67
    AND w.asset_id = a.id
    AND w.location_id = ANY($68::int[])
  ))
  AND (((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($69)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $70
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($71))))
  ))
  AND ((((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($72)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $73
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($74))))
  )) OR (((search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($75)))) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $76
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND ((fold_case(t.value) LIKE (SELECT fold_case($77))))
  )))
) UNION (
  SELECT a.id
  FROM assets a
  JOIN asset_positions p ON p.org_id = $78
  AND p.asset_id = a.id
  AND p.location_id = ANY($79::int[])
  WHERE a.org_id = $80
  AND a.deleted_at IS NULL
  AND ((search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($81::int,
    fold_case($82))) AND ((SELECT char_length(fold_case($83)) <= $84::int) OR search_text(a.name, a.external_key,
    a.description) LIKE (SELECT fold_case($85)))))
  LIMIT $86
) UNION (
  SELECT a.id
  FROM assets a
  JOIN asset_positions p ON p.org_id = $87
  AND p.asset_id = a.id
  AND p.location_id = ANY($88::int[])
  WHERE a.org_id = $89
  AND a.deleted_at IS NULL
  AND ((search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($90::int,
    fold_case($91))) AND ((SELECT char_length(fold_case($92)) <= $93::int) OR search_text(a.name, a.external_key,
    a.description) LIKE (SELECT fold_case($94)))))
  AND ((search_grams(a.org_id, search_text(a.name, a.external_key, a.description)) @@ (SELECT search_query($95::int,
    fold_case($96))) AND ((SELECT char_length(fold_case($97)) <= $98::int) OR search_text(a.name, a.external_key,
    a.description) LIKE (SELECT fold_case($99)))))
  LIMIT $100
)) found
LIMIT 1;

-- name: workingSearchOf
-- further: 08dacee46b 2f2f64e1dd 3b028091c9 5bc4e545b3 687b5ff95e 6f214da69b af9599d055 ea7ec06423 eaa82ccf48
