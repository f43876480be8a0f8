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
-- further: 07d0f10b24 093f71c959 0caf7f1520 0d5f3b837f 1090654ff2 12f511be62 14aba389f5 14feda2a74 167cc3452f 16ce552b74 1a644d620f 1e115e83df
-- further: 215347f530 2238d01c1c 22a2b8afc4 2a541cb896 311ef133b5 3651f29978 3ab5058566 3b48884545 3d1efec029 402fdebccf 40df0ee9f5 4342bd6b3e
-- further: 437cbbe8d5 444c6c9811 4560da167a 4c0dc41ff6 4f379eb7af 599f0bc27f 5b997094a4 5c3082939f 5d3e05c39d 5f8f9197d7 6067b288d0 609a22642e
-- further: 6312666ec7 6bedd94d4f 6bfda6f3ac 6d5b714079 703b768a96 738e076102 73a67a63c0 7445d6e5bf 78ef30a898 7c0b0872a2 8121fc7321 8e7ca3c69b
-- further: 913d41a18a 9347e786ed 99a096b875 9b4ed13ea7 a360751297 a55ef8afc9 a829223896 a83f33fcf8 aa5ee41bf1 abca2268c9 ac14ce9e72 ad74d98413
-- further: afe543aa7c aff916ea42 b24c769418 b6b1972ff8 bf22b339a7 bf334825e6 c006a293a1 c06e62037b c086cc267c c149129fbd c2476ac21a c2ab137170
-- further: c41b8ab8ea c61cf87dad c876e366c4 c89d09606c c9def51b57 cacc5b4f01 cbf215f55f cc620a5833 ce8525d9e3 d2e9b7a3d1 d31f85d061 d6935413d3
-- further: d6e7e51fdd d96d6ebc55 db9d69cc80 dc4d59ffd8 dcc0727084 ddf33a0f80 de683128af e22304813b e42e333eef e7cd162b1b e863b6d695 eab65e6fad
-- further: eb11e1ecde ecac96468b f1907876c6 f1fc69c24b f45728cd65 f6ba477a6e f6d6b3d768
