-- name: assetsAfter
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $2
        AND a.deleted_at IS NULL
        AND (a.valid_from <= statement_timestamp() AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())) = $3
        AND a.external_key > $4
        AND NOT EXISTS (SELECT FROM asset_positions p WHERE p.org_id = $5 AND p.asset_id = a.id)
        ORDER BY a.external_key
        LIMIT $6
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $7
) page
LEFT JOIN asset_positions p ON p.org_id = $8
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: assetsAfter
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $2
        AND a.deleted_at IS NULL
        AND EXISTS (
          SELECT
          FROM asset_problems q
          WHERE q.org_id = $3
          AND q.asset_id = a.id
          AND q.resolved_at IS NULL
          OFFSET 0
        ) = $4
        AND a.external_key > $5
        AND a.id IN (
          SELECT DISTINCT q.asset_id AS id
          FROM asset_problems q
          WHERE q.org_id = $6
          AND q.resolved_at IS NULL
        )
        ORDER BY a.external_key
        LIMIT $7
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $8
) page
LEFT JOIN asset_positions p ON p.org_id = $9
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: assetsAfter
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $2
        AND a.deleted_at IS NULL
        AND EXISTS (
          SELECT g.asset_id AS id
          FROM tags g
          WHERE g.org_id = $3
          AND g.tag_type = $4
          AND g.deleted_at IS NULL
          AND g.asset_id = a.id
        )
        AND EXISTS (
          SELECT k.asset_id AS id
          FROM tag_telemetry m
          JOIN tags k ON k.id = m.tag_id
          AND k.org_id = m.org_id
          WHERE m.org_id = $5
          AND m.battery < 20
          AND k.deleted_at IS NULL
          AND k.asset_id IS NOT NULL
          AND k.asset_id = a.id
          OFFSET 0
        ) = $6
        AND a.external_key > $7
        AND a.id IN (
          SELECT k.asset_id AS id
          FROM tag_telemetry m
          JOIN tags k ON k.id = m.tag_id
          AND k.org_id = m.org_id
          WHERE m.org_id = $8
          AND m.battery < 20
          AND k.deleted_at IS NULL
          AND k.asset_id IS NOT NULL
        )
        AND EXISTS (SELECT FROM asset_positions p WHERE p.org_id = $9 AND p.asset_id = a.id)
        ORDER BY a.external_key
        LIMIT $10
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $11
) page
LEFT JOIN asset_positions p ON p.org_id = $12
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: assetsAfter
-- further: 0d5f3b837f 1090654ff2 145c9536f7 14aba389f5 1515c8deea 167cc3452f 1925cd1168 1a644d620f 2a541cb896 2afb106d00 31102f9fa9 3dd55f4c75
-- further: 40df0ee9f5 4560da167a 4b9b7c2f91 4bec74a0e8 4c773d5e95 550ab56b76 5a2be21f77 5f3ac2c024 601abcaf5d 6067b288d0 62611f99e2 6b8c6a0a0a
-- further: 6edeaf4c97 703b768a96 785dd2b09f 795ddd32fe 7c0b0872a2 851059e3ab 8599f32a8b 8ba6c8ea49 913d41a18a 96a8e1f51a 992fbe6c74 9b4ed13ea7
-- further: 9ce2a817f7 a55ef8afc9 aa5ee41bf1 abca2268c9 ac14ce9e72 aeef40dde9 aff916ea42 b07d891a5b b6b1972ff8 c2476ac21a c2ab137170 c41b8ab8ea
-- further: c6c89b5e5a c8a21eb622 cba984eb1b cf3819dde3 d2e9b7a3d1 d6e7e51fdd d96d6ebc55 dc4d59ffd8 dcc0727084 de683128af e27ebb0dae e42e333eef
-- further: e7cd162b1b eab65e6fad ee3cc029f5 f6d6b3d768 fad22af7e2

-- name: exportAssetsPage
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
)) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $3
        AND a.deleted_at IS NULL
        AND a.external_key > $4
        AND a.id IN ((
          SELECT s.id
          FROM assets s
          WHERE s.org_id = $5
          AND s.deleted_at IS NULL
          AND search_grams(s.org_id, search_text(s.name, s.external_key, s.description)) @@ (SELECT search_query($6::int,
            fold_case($7)))
          AND search_text(s.name, s.external_key, s.description) LIKE (SELECT fold_case($8))
          LIMIT $9
        ) UNION (
          SELECT t.asset_id AS id
          FROM tags t
          WHERE t.org_id = $10
          AND t.deleted_at IS NULL
          AND t.asset_id IS NOT NULL
          AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($11::int, fold_case($12)))
          AND fold_case(t.value) LIKE (SELECT fold_case($13))
          LIMIT $14
        ))
        ORDER BY a.external_key
        LIMIT $15
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $16
) page
LEFT JOIN asset_positions p ON p.org_id = $17
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: exportAssetsPage
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
)) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $3
        AND a.deleted_at IS NULL
        AND a.external_key > $4
        ORDER BY a.external_key
        LIMIT $5
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $6
) page
LEFT JOIN asset_positions p ON p.org_id = $7
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: exportAssetsPage
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
)) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $3
        AND a.deleted_at IS NULL
        AND left(a.metadata ->> $4::text, 200) = $5
        AND a.external_key > $6
        AND a.id IN ((
          SELECT s.id
          FROM assets s
          WHERE s.org_id = $7
          AND s.deleted_at IS NULL
          AND search_grams(s.org_id, search_text(s.name, s.external_key, s.description)) @@ (SELECT search_query($8::int,
            fold_case($9)))
          AND ((SELECT char_length(fold_case($10)) <= $11::int) OR search_text(s.name, s.external_key,
            s.description) LIKE (SELECT fold_case($12)))
          LIMIT $13
        ) UNION (
          SELECT t.asset_id AS id
          FROM tags t
          WHERE t.org_id = $14
          AND t.deleted_at IS NULL
          AND t.asset_id IS NOT NULL
          AND search_grams(t.org_id, fold_case(t.value)) @@ (SELECT search_query($15::int, fold_case($16)))
          AND ((SELECT char_length(fold_case($17)) <= $18::int) OR fold_case(t.value) LIKE (SELECT fold_case($19)))
          LIMIT $20
        ))
        AND a.id IN (
          SELECT v.asset_id AS id
          FROM metadata_values v
          WHERE v.org_id = $21
          AND v.key = $22
          AND v.value = $23
        )
        ORDER BY a.external_key
        LIMIT $24
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $25
) page
LEFT JOIN asset_positions p ON p.org_id = $26
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: readAssets
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
)) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $3
        AND a.deleted_at IS NULL
        AND (a.valid_from <= statement_timestamp() AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())) = $4
        AND a.external_key > $5
        AND NOT EXISTS (
          SELECT
          FROM asset_positions p
          WHERE p.org_id = $6
          AND p.asset_id = a.id
          AND NOT EXISTS (
            SELECT
            FROM asset_placements w
            WHERE w.org_id = $7
            AND w.asset_id = p.asset_id
            AND w.placed_at = p.asset_last_seen
            AND w.seen_before IS NULL
            OFFSET 0
          )
        )
        ORDER BY a.external_key
        LIMIT $8
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $9
) page
LEFT JOIN asset_positions p ON p.org_id = $10
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: readAssets
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
)) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $3
        AND a.deleted_at IS NULL
        AND EXISTS (
          SELECT g.asset_id AS id
          FROM tags g
          WHERE g.org_id = $4
          AND g.tag_type = $5
          AND g.deleted_at IS NULL
          AND g.asset_id = a.id
        )
        AND EXISTS (
          SELECT k.asset_id AS id
          FROM tag_telemetry m
          JOIN tags k ON k.id = m.tag_id
          AND k.org_id = m.org_id
          WHERE m.org_id = $6
          AND m.battery < 20
          AND k.deleted_at IS NULL
          AND k.asset_id IS NOT NULL
          AND k.asset_id = a.id
          OFFSET 0
        ) = $7
        AND a.external_key > $8
        AND a.id IN (
          SELECT k.asset_id AS id
          FROM tag_telemetry m
          JOIN tags k ON k.id = m.tag_id
          AND k.org_id = m.org_id
          WHERE m.org_id = $9
          AND m.battery < 20
          AND k.deleted_at IS NULL
          AND k.asset_id IS NOT NULL
        )
        AND EXISTS (
          SELECT
          FROM asset_positions p
          WHERE p.org_id = $10
          AND p.asset_id = a.id
          AND NOT EXISTS (
            SELECT
            FROM asset_placements w
            WHERE w.org_id = $11
            AND w.asset_id = p.asset_id
            AND w.placed_at = p.asset_last_seen
            AND w.seen_before IS NULL
            OFFSET 0
          )
        )
        ORDER BY a.external_key
        LIMIT $12
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $13
) page
LEFT JOIN asset_positions p ON p.org_id = $14
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: readAssets
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, p.location_id,
  round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $2
  AND w.asset_id = p.asset_id
  AND w.placed_at = p.asset_last_seen
)) * 1000) AS asset_last_seen
FROM (
  SELECT *
  FROM (
    SELECT measured.*, sum(measured.size) OVER (ORDER BY measured.external_key)::int AS bytes
    FROM (
      SELECT chosen.*, coalesce(octet_length(metadata::text), 0) + coalesce(octet_length(tags::text), 0) AS size
      FROM (
        SELECT a.id, a.external_key, a.name, a.description, a.is_active, a.metadata, round(date_part('epoch',
          a.valid_from) * 1000) AS valid_from, round(date_part('epoch', a.valid_to) * 1000) AS valid_to, round(date_part('epoch',
          a.created_at) * 1000) AS created_at, round(date_part('epoch', a.updated_at) * 1000) AS updated_at,
          round(date_part('epoch', a.deleted_at) * 1000) AS deleted_at, (
          SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
          FROM tags t
          WHERE t.org_id = a.org_id
          AND t.asset_id = a.id
        ) AS tags, a.kind_id
        FROM assets a
        WHERE a.org_id = $3
        AND a.deleted_at IS NULL
        AND EXISTS (
          SELECT k.asset_id AS id
          FROM tag_telemetry m
          JOIN tags k ON k.id = m.tag_id
          AND k.org_id = m.org_id
          WHERE m.org_id = $4
          AND m.battery < 20
          AND k.deleted_at IS NULL
          AND k.asset_id IS NOT NULL
          AND k.asset_id = a.id
          OFFSET 0
        ) = $5
        AND a.external_key > $6
        AND a.id IN (
          SELECT k.asset_id AS id
          FROM tag_telemetry m
          JOIN tags k ON k.id = m.tag_id
          AND k.org_id = m.org_id
          WHERE m.org_id = $7
          AND m.battery < 20
          AND k.deleted_at IS NULL
          AND k.asset_id IS NOT NULL
        )
        ORDER BY a.external_key
        LIMIT $8
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $9
) page
LEFT JOIN asset_positions p ON p.org_id = $10
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: readAssets
-- further: 1090654ff2 167cc3452f 2a541cb896 40df0ee9f5 7c0b0872a2 a55ef8afc9 abca2268c9 ac14ce9e72 c2476ac21a c2ab137170 c41b8ab8ea d6e7e51fdd
-- further: de683128af e7cd162b1b
