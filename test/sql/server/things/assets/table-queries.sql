-- name: countKept
SELECT (
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $1
  AND kind = $2
  AND NOT is_deleted
) - ((
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $3
  AND kind = $4
  AND NOT is_deleted
) - (
  SELECT count(*)::float8
  FROM asset_placements w
  JOIN asset_positions p ON p.org_id = w.org_id
  AND p.asset_id = w.asset_id
  AND p.asset_last_seen = w.placed_at
  WHERE w.org_id = $5
  AND p.hidden_by IN (0, 2)
  AND w.seen_before IS NULL
)) AS kept_count;

-- name: countKept
SELECT (
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $1
  AND kind = $2
  AND NOT is_deleted
) - ((
  SELECT coalesce(sum(n), 0)::float8
  FROM row_counts
  WHERE org_id = $3
  AND kind = $4
  AND NOT is_expired
  AND NOT is_deleted
) - ((
  SELECT count(*)
  FROM assets r
  WHERE org_id = $5
  AND deleted_at IS NULL
  AND NOT r.is_expired
  AND r.valid_from > statement_timestamp()
) + (
  SELECT count(*)
  FROM assets r
  WHERE org_id = $6
  AND deleted_at IS NULL
  AND NOT r.is_expired
  AND r.valid_to <= statement_timestamp()
  AND r.valid_from <= statement_timestamp()
))) AS kept_count;

-- name: countKept
-- further: 374c0857c6 89a30e310e a3623cf689 aeef994925

-- name: collectPage
WITH RECURSIVE candidate AS MATERIALIZED (
  SELECT DISTINCT q.asset_id AS id
  FROM asset_problems q
  WHERE q.org_id = $1
  AND q.resolved_at IS NULL
  LIMIT $2
),
matched AS MATERIALIZED (
  SELECT a.id, a.external_key, a.name, a.kind_id, a.created_at, a.updated_at
  FROM candidate c
  CROSS JOIN LATERAL (SELECT * FROM assets r WHERE r.org_id = $3 AND r.id = c.id OFFSET 0) a
  WHERE a.org_id = $4
  AND a.deleted_at IS NULL
  AND EXISTS (
    SELECT
    FROM asset_problems q
    WHERE q.org_id = $5
    AND q.asset_id = a.id
    AND q.resolved_at IS NULL
    OFFSET 0
  ) = $6
  AND EXISTS (
    SELECT
    FROM asset_positions p
    WHERE p.org_id = $7
    AND p.asset_id = a.id
    AND NOT EXISTS (
      SELECT
      FROM asset_placements w
      WHERE w.org_id = $8
      AND w.asset_id = p.asset_id
      AND w.placed_at = p.asset_last_seen
      AND w.seen_before IS NULL
      OFFSET 0
    )
    OFFSET 0
  )
  LIMIT $9
),
page AS MATERIALIZED (
  SELECT p.asset_id AS id
  FROM (
    SELECT *
    FROM asset_positions p
    WHERE p.org_id = $10
    AND p.asset_id = ANY(ARRAY(SELECT m.id FROM matched m))
  ) p
  ORDER BY p.asset_last_seen ASC, p.asset_id
  LIMIT $11
  OFFSET $12
),
counts AS (
  SELECT (SELECT count(*)::float8 FROM matched) AS total_count, (SELECT count(*)::int FROM candidate) AS found
)
SELECT counts.*, ARRAY(SELECT id FROM page) AS ids
FROM counts;

-- name: collectPage
-- further: 000790109e 00190bb3cc 04e369e739 05922860ee 06f1bfac3c 07165ef271 08e43efa55 0a1e18c3aa 0a953ac3ca 0b8963d6da 0ba26d89c4 0ba7567143
-- further: 0bd381fe4f 0bfc2a466e 0c1344bddc 0e21c1aa61 0e2a6bca1e 0f0e68001b 0f4d35e9c1 125c67f012 13d2a8380e 14efc95b2f 15dd652836 174caebc49
-- further: 1794d5151c 17d96b18c4 18d15d125f 1aa9a93679 1ba66c3c12 1ce8188f49 1cf187c5d6 1d53538898 1ed8f2b172 1f0d699d56 1f65aedefe 1f73beb22a
-- further: 1f88591a23 1f92cda488 1fcf47e883 202dfa0c91 207479914d 2134f9014e 2154708639 239651815c 23ca859996 246c0ee9d8 246ee106b9 24b037a738
-- further: 24b5773bfd 24d6e0a80e 24fe122764 25e2b561b1 28537d8ac6 2a9dc4167e 2b3bd2fbe7 2d40540ecc 2eca38c312 2f35fd2d43 2f3b42edb0 2fa39da27d
-- further: 30bbf74080 30be2c6bee 319de5ca1c 31a3a19e44 3231b5811a 349bf58798 380e2b46ac 381a705c3f 3a23b2b43f 3a5b3e9971 3ae8934103 3b06f5cd46
-- further: 3b29be1aa6 3b3faeedc6 3b68e32545 3bfd5af001 3c4cdbf66a 3d58315d0c 3eed1eadf3 3fdece4ebc 4007f2a818 41b58d5f1f 41c5b03b38 42761ed02c
-- further: 42e868a6b4 433d3da2b3 43cab8e0c4 44edeedc4a 4655eb13d9 4683e37049 4740c61980 4808638750 48af4f578f 4a32e66b44 4d6d25608c 4f3b2847af
-- further: 4fb75417d6 4fd8a02aef 509cf13cbb 51e25c57f8 52cb547306 53b62c9792 54b71b17b7 54c5548f4f 556e9a10e9 55a3caf878 577b52d3d3 57b968dc96
-- further: 57fda3d565 5802ba2e0d 59b014874a 5a72d41134 5c74fe6ccd 5f1274cd95 602b1b6b5f 60b75bb1e7 60e9939541 61047858e3 613c1f0b18 614e4edd4d
-- further: 61cd768eed 6239bfa808 6331b5346e 63ca85d6f4 6512b99388 66423154e0 666c650633 67029007e9 68a4ea17bd 691983870b 69c6e1abca 6b10c605bf
-- further: 6b3c0c2a10 6bc7253b92 6d1e1c4640 6ddedf1cd6 6e44597ce0 6f42702980 700f4e4732 70c48564e9 71ac8ca96c 737a045992 73d57d3b13 75a4a62979
-- further: 7769847883 783f2a5c5a 786a3b7621 788fb7a132 7982e1c87e 7abd22262f 7bb09f44f9 7ca649e13d 7ce0351405 7d36b772b8 7d4388c68c 7da7349d18
-- further: 7e6b607645 7ed3cf8512 804317e848 80aa6edd2f 80c8aa12d2 8170c7fe2f 824ad345c8 82783e370c 838eb41fc6 83d4381bc9 83e8bef8b1 83ebf9f9e1
-- further: 841bbfdc5d 85534eb39c 86b22e8622 86ee40605b 88593f01c3 89668f78f0 8992dcf885 89ebd48890 8a9d12012b 8d3dc165c5 8e5e7a52aa 8fa86aec5d
-- further: 90dad467fd 92a08b1b41 92f4fc897d 9357145c99 94c89a4d72 95e4bac274 9662be1def 967253b3b7 999a8050c4 9b17678738 9bac37aea5 9bb46897f2
-- further: 9be546b202 9bfa194194 9e46121f1a a085a21819 a15d0e7ce8 a1a8a34187 a3adb8bb28 a3b3d1ad04 a3ea7f15b5 a3eb827047 a437fccd87 a46ef6fb00
-- further: a47eb463db a52c9ea648 a6ceca2dd4 a895f564c1 a941af8664 aa1d4f991a aad5b94e3d aaf301e14f abcc1135ef ac1cd2251a ac22a15bee af3515f79b
-- further: b032a8a14b b0feafeb51 b16689b7ea b265545f91 b427855fc3 b45e6ff80b b4839f4172 b740354e5e b774d1ecdc b7abb9ba1e b9b1d1dc9c ba9de5c2a8
-- further: bacd379177 bb4bfa15c3 bb5919de91 bc7481938a bca2d2659b beb708e220 bf704b40c9 c0201b0d55 c0801d3f45 c285554e99 c34d39c8c6 c3d1cc726a
-- further: c3e7ac6ff6 c414c63a95 c425696990 c536ec83c7 c5431f2dc3 c57bc9f31b c5fc41ded3 c6f218f5b7 c8c38ab447 c97833ba40 cc191893ee cc6d9c2bf8
-- further: ccb560ae6b ccf8087aa6 cd1f72f8ba cd80fcddc4 cd8f005867 cd92bc6eec d03bea94bf d065465038 d1c3b74629 d20c638a91 d2b8f1f7d3 d2bdd60eec
-- further: d3f4a9379c d46d2af4a1 d6142c7355 d673230329 d69f13425b d8847954d1 d8952ff87d da05883c47 dc58fdccfe dc5b3e6337 debd1c9f69 df8779022f
-- further: e093f9bbde e1ef96dd9b e34560a4ac e39da82139 e486bb5349 e4b786bec2 e6855c8d19 e76cf890fc e7b2c2ab9e e7bf72f550 e9a35dad1f e9ae962db0
-- further: ea2f7d105b eaa250cfb5 eba7dd09af ec31a2d12f ec3e13e9dc ec809ba6c6 ecaf36d1c5 eda406997a eee7700965 f22d05cbf3 f25bcc9064 f28ac36dda
-- further: f2a5b4e96f f454e51aca f56632c74f f6ee04f9fe f9f79b4303 fa19168178 fb660d0cf1 fcbd95e648 fce3c96c99 fe48d78ef6 fe767e9af9 ffa3b9a9b0

-- name: scanPage
SELECT ARRAY(
  SELECT a.id
  FROM (
    SELECT *
    FROM assets a
    WHERE a.org_id = $1
    AND a.deleted_at IS NULL
    AND (a.valid_from <= statement_timestamp() AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())) = $2
  ) a
  ORDER BY a.created_at ASC, a.id
  LIMIT $3
  OFFSET $4
) AS ids;

-- name: scanPage
SELECT ARRAY(
  SELECT a.id
  FROM (
    SELECT *
    FROM assets a
    WHERE a.org_id = $1
    AND a.deleted_at IS NULL
    AND (a.valid_from <= statement_timestamp() AND (a.valid_to IS NULL OR a.valid_to > statement_timestamp())) = $2
  ) a
  ORDER BY a.created_at DESC, a.id
  LIMIT $3
  OFFSET $4
) AS ids;

-- name: scanPage
-- further: 0918dbf012 229c5a7c87 2c3085ef05 3079b14923 32ca2c2aeb 361801883b 412f93f4bd 44f940b9d2 49d38dc81f 545098b7a4 5617067880 5cebf3bea7
-- further: 605c0487f3 6e2bdbcc0b 7823b90713 7d3ebde5fa 8119108e28 83bdcd79d4 86a97edeca 879f5caaf7 a031866a1f a0e067fd2b a4cd3c4f53 aa8e3d46d6
-- further: ac74a60900 b6b000816a bf17d3d219 c2737c82c2 c2bcec9837 cbba499201 d01c7659ff d0be58a05f d4e7422dfe d913e12070 e73e32edfb ebecd05f74
-- further: edc64a3623 f23227e562 f238bb11cf fddb25abd5
