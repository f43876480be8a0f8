-- name: readAssets
SELECT page.*, (SELECT k.name FROM asset_kinds k WHERE k.org_id = $1 AND k.id = page.kind_id) AS kind, (
  SELECT l.external_key
  FROM locations l
  WHERE l.org_id = $2
  AND l.id = page.belongs_to_id
  AND l.deleted_at IS NULL
) AS belongs_to_external_key, (
  SELECT c.external_key
  FROM asset_containments k
  JOIN assets c ON c.org_id = k.org_id
  AND c.id = k.container_id
  AND c.deleted_at IS NULL
  WHERE k.org_id = $3
  AND k.asset_id = page.id
  AND k.until IS NULL
) AS container_external_key, p.location_id, round(date_part('epoch', (
  SELECT CASE WHEN count(*) = 0 THEN p.asset_last_seen ELSE min(w.seen_before) END
  FROM asset_placements w
  WHERE w.org_id = $4
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
        ) AS tags, a.kind_id, a.belongs_to_id
        FROM assets a
        WHERE a.org_id = $5
        AND a.deleted_at IS NULL
        AND ((a.belongs_to_id,
          (SELECT p.location_id FROM asset_positions p WHERE p.org_id = $6 AND p.asset_id = a.id)) IN (SELECT w.own,
          w.present FROM unnest($7::int[], $8::int[]) AS w (own, present))) IS TRUE
        AND a.external_key > $9
        AND a.id IN (
          SELECT f.id
          FROM (SELECT * FROM unnest($10::int[], $11::int[]) AS v (belongs_to_id, location_id)) w
          CROSS JOIN LATERAL (
            SELECT p.asset_id AS id
            FROM asset_positions p
            WHERE p.org_id = $12
            AND p.belongs_to_id IS NOT NULL
            AND p.location_id IS NOT NULL
            AND p.hidden_by IN (0, 2)
            AND p.belongs_to_id = w.belongs_to_id
            AND p.location_id = w.location_id
            OFFSET 0
          ) f
        )
        ORDER BY a.external_key
        LIMIT $13
      ) chosen
    ) measured
  ) sized
  WHERE sized.bytes - sized.size < $14
) page
LEFT JOIN asset_positions p ON p.org_id = $15
AND p.asset_id = page.id
ORDER BY page.external_key;

-- name: readAssets
-- further: 093f71c959 096795a42f 0caf7f1520 12f511be62 133f968672 16ce552b74 18481959ef 1b6826024c 233f20d48f 2737d49f12 2982c17ba7 300c492925
-- further: 30e2928e88 311ef133b5 358858dbd6 3651f29978 37bc3dcdef 3d1efec029 402fdebccf 41993170ba 4342bd6b3e 43a1b65d33 43ecc3a53a 444c6c9811
-- further: 467f203b97 468c65da64 4f379eb7af 599f0bc27f 5d3e05c39d 5f329880a6 5f8f9197d7 609a22642e 64da68dedf 6bedd94d4f 6d5b714079 72eec9afba
-- further: 7445d6e5bf 78ef30a898 8121fc7321 87d3be2dd0 985cddbe93 99a096b875 a0665b8057 a0cbae90bd a26e206a45 a360751297 a4160641cd a5f49b48ec
-- further: a83f33fcf8 a85b8f8544 a8ac358983 aca61f6576 afe543aa7c b15dab2cf8 b805610c10 bf334825e6 c006a293a1 c086cc267c c149129fbd c3de6e6424
-- further: c5340d13c8 c89d09606c c9def51b57 cacc5b4f01 ce8525d9e3 db0567f024 e59ec4b57f f1fc69c24b f45728cd65 fbca2a89bc fde6b836f2
