-- name: findAssets
WITH beginning AS MATERIALIZED (
  SELECT b.id, min(b.rank) AS rank
  FROM (
    SELECT r.id, 0 AS rank
    FROM assets r
    WHERE r.org_id = $1
    AND r.deleted_at IS NULL
    AND r.external_key = ANY ($2::text[])
    UNION ALL SELECT k.id, 1
    FROM unnest($3::text[]) AS form (text)
    CROSS JOIN LATERAL (
      SELECT r.id
      FROM assets r
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
      FROM assets r
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
  FROM assets r
  WHERE r.org_id = $12
  AND r.deleted_at IS NULL
  AND search_grams(r.org_id, search_text(r.name, r.external_key, r.description)) @@ (SELECT search_query($13::int,
    fold_case($14)))
  AND ((SELECT char_length(fold_case($15)) <= $16::int) OR search_text(r.name, r.external_key,
    r.description) LIKE (SELECT fold_case($17)))
  AND r.id NOT IN (SELECT id FROM beginning)
  LIMIT $18::bigint - (SELECT count(*) FROM beginning)
)
SELECT a.id
FROM (SELECT id, rank FROM beginning UNION ALL SELECT id, 3 FROM contained) f
JOIN assets a ON a.org_id = $19
AND a.id = f.id
WHERE f.rank = 0 OR NOT $20
ORDER BY f.rank, a.name COLLATE natural_order, a.external_key
LIMIT $21;

-- name: findAssets
-- further: 848ee7f5b5 a213703584

-- name: firstPhotos
SELECT DISTINCT ON (p.asset_id) p.asset_id, p.image_id
FROM asset_photos p
WHERE p.org_id = $1
AND p.asset_id = ANY($2::int[])
ORDER BY p.asset_id, p.added_at, p.image_id;

-- name: findTags
WITH beginning AS MATERIALIZED (
  SELECT b.id, min(b.rank) AS rank
  FROM (
    SELECT t.id, 0 AS rank
    FROM tags t
    WHERE t.org_id = $1
    AND t.deleted_at IS NULL
    AND tag_normal_form(t.tag_type, t.value) = ANY ($2::text[])
    UNION ALL SELECT e.id, 0
    FROM unnest($3::text[], $4::text[]) AS epc (first, last)
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM tags t
      WHERE t.org_id = $5
      AND t.deleted_at IS NULL
      AND t.tag_type = 'rfid'
      AND tag_normal_form(t.tag_type, t.value) BETWEEN epc.first
      AND epc.last
      AND length(t.value) >= 24
      LIMIT $6
    ) e
    UNION ALL SELECT v.id, 1
    FROM unnest($7::text[]) AS form (text)
    CROSS JOIN unnest('{rfid,ble,barcode}'::text[]) AS type (name)
    CROSS JOIN LATERAL (
      SELECT t.id
      FROM tags t
      WHERE t.org_id = $8
      AND t.deleted_at IS NULL
      AND t.tag_type = type.name
      AND (t.value >= form.text AND t.value < form.text || $9)
      ORDER BY t.value
      LIMIT $10
    ) v
  ) b
  GROUP BY b.id
  ORDER BY 2, 1
  LIMIT $11
),
contained AS MATERIALIZED (
  SELECT r.id
  FROM tags r
  WHERE r.org_id = $12
  AND r.deleted_at IS NULL
  AND search_grams(r.org_id, fold_case(r.value)) @@ (SELECT search_query($13::int, fold_case($14)))
  AND ((SELECT char_length(fold_case($15)) <= $16::int) OR fold_case(r.value) LIKE (SELECT fold_case($17)))
  AND r.id NOT IN (SELECT id FROM beginning)
  LIMIT $18::bigint - (SELECT count(*) FROM beginning)
)
SELECT t.id, t.tag_type, t.value, CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'external_key', a.external_key,
  'name', a.name) END AS asset, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'external_key', l.external_key,
  'name', l.name) END AS location
FROM (SELECT id, rank FROM beginning UNION ALL SELECT id, 2 FROM contained) f
JOIN tags t ON t.id = f.id
LEFT JOIN assets a ON a.org_id = $19
AND a.id = t.asset_id
LEFT JOIN locations l ON l.org_id = $20
AND l.id = t.location_id
ORDER BY f.rank, t.value, t.id
LIMIT $21;

-- name: findTags
-- further: 64732d16f8 ec900238f3

-- name: findReaders
SELECT r.id, r.name, NULL::text AS mqtt_username
FROM readers r
WHERE r.org_id = $1
AND r.deleted_at IS NULL
AND ((
  SELECT bool_and(strpos(fold_case(r.name), fold_case(w.word)) > 0)
  FROM unnest($2::text[]) AS w (word)
) OR strpos(fold_case(NULL::text), fold_case($3)) > 0)
ORDER BY NOT starts_with(fold_case(r.name), fold_case($4)), r.name COLLATE natural_order, r.id
LIMIT $5;

-- name: findReaders
SELECT r.id, r.name, r.mqtt_username AS mqtt_username
FROM readers r
WHERE r.org_id = $1
AND r.deleted_at IS NULL
AND ((
  SELECT bool_and(strpos(fold_case(r.name), fold_case(w.word)) > 0)
  FROM unnest($2::text[]) AS w (word)
) OR strpos(fold_case(r.mqtt_username), fold_case($3)) > 0)
ORDER BY NOT starts_with(fold_case(r.name), fold_case($4)), r.name COLLATE natural_order, r.id
LIMIT $5;
