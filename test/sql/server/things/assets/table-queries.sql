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
    AND p.location_id = ANY($8::int[])
    OFFSET 0
  )
  AND (search_text(a.name, a.external_key, a.description) LIKE (SELECT fold_case($9)) OR EXISTS (
    SELECT
    FROM tags t
    WHERE t.org_id = $10
    AND t.asset_id = a.id
    AND t.deleted_at IS NULL
    AND (fold_case(t.value) LIKE (SELECT fold_case($11)))
  ))
  LIMIT $12
),
page AS MATERIALIZED (SELECT a.id FROM matched a ORDER BY a.external_key COLLATE natural_order ASC LIMIT $13 OFFSET $14),
  counts AS (
  SELECT (SELECT count(*)::float8 FROM matched) AS total_count, (SELECT count(*)::int FROM candidate) AS found
)
SELECT counts.*, ARRAY(SELECT id FROM page) AS ids
FROM counts;

-- name: collectPage
-- further: 000790109e 00190bb3cc 0073a76839 01afb5b29a 01bffb7c6d 02229f3d30 02665eb736 0277080b83 028fbefcd1 02c58fab9f 0461125079 04e369e739
-- further: 052f85354f 05922860ee 063cc4defa 06f1bfac3c 07165ef271 07944bef12 07eb601da5 07fc49430e 08113d7652 08e43efa55 0a1e18c3aa 0b8963d6da
-- further: 0ba26d89c4 0ba7567143 0bd381fe4f 0bfc2a466e 0c1344bddc 0e21c1aa61 0e2a6bca1e 0e938f5bc3 0f0e68001b 0f4d35e9c1 0fd30c5065 10a694b5a1
-- further: 13d2a8380e 15bb30b0a7 15dd652836 15ed879f7c 174caebc49 17d96b18c4 18d15d125f 18f6dcb62a 1948757003 1aa001edcb 1aa9a93679 1b572aafa4
-- further: 1b7644196d 1ba66c3c12 1ce8188f49 1cf187c5d6 1d53538898 1ed8f2b172 1f0d699d56 1f304916e0 1f65aedefe 1f7dcc536c 1f88591a23 1f92cda488
-- further: 1fcf47e883 202dfa0c91 207479914d 20d17510eb 2154708639 21905e0c93 21bf70625c 239651815c 241a9a6401 246c0ee9d8 246ee106b9 24b5773bfd
-- further: 24d6e0a80e 24fe122764 25e2b561b1 276d1b0a42 279b4f386b 28537d8ac6 2870c98869 2a730476fd 2b3bd2fbe7 2c58f1baae 2eca38c312 2f35fd2d43
-- further: 2fa39da27d 2fd18df84a 307f4b8938 30bbf74080 30be2c6bee 31a3a19e44 3231b5811a 349bf58798 34bafb72b6 3505451a73 35887ac456 37645ab908
-- further: 37c27c6a34 381a705c3f 39b0025e14 3a23b2b43f 3a5b3e9971 3ae8934103 3b0337a196 3b06f5cd46 3b3faeedc6 3b5ef720e5 3bfd5af001 3c4cdbf66a
-- further: 3d58315d0c 3ecf90a3f6 3eed1eadf3 3fc5908b72 4007f2a818 40ace01fac 41b58d5f1f 42761ed02c 42a7b7667d 433d3da2b3 43cab8e0c4 44edeedc4a
-- further: 4683e37049 4740c61980 4808638750 48af4f578f 4d6d25608c 4f3b2847af 4fb75417d6 4fd8a02aef 509cf13cbb 50bf79da7b 51156460a5 52892dc012
-- further: 52cb547306 54c5548f4f 556e9a10e9 55a3caf878 571d6bfe00 577b52d3d3 57b968dc96 57ccae53c5 57fda3d565 5802ba2e0d 5a72d41134 5b839bdd0e
-- further: 5c74fe6ccd 5c8c4524b0 5d85bb84c4 5ee0b5dd71 5f1274cd95 5f312822db 602b1b6b5f 60b75bb1e7 60e9939541 61047858e3 613c1f0b18 6331b5346e
-- further: 6512b99388 6614a7acbe 66423154e0 666c650633 67029007e9 67426b79d8 68a4ea17bd 693f2658f1 6b10c605bf 6b3c0c2a10 6bc7253b92 6c539bbc8d
-- further: 6ddedf1cd6 6e44597ce0 6f42702980 70ad7854bf 70c48564e9 70fc854db4 71ac8ca96c 71c81c102c 737a045992 748850a01e 75a4a62979 7709c85a47
-- further: 7769847883 77bf6721f0 77c3fe9c4d 77f1e5a9a0 786a3b7621 788fb7a132 7982e1c87e 7abd22262f 7adda5bfcc 7ca649e13d 7ce0351405 7cf1b061e6
-- further: 7d4388c68c 7da7349d18 7e6b607645 80aa6edd2f 813ec60eb8 8170c7fe2f 83d4381bc9 83e8bef8b1 83ebf9f9e1 841bbfdc5d 85534eb39c 8601f903f6
-- further: 8620c3db82 8643cc4a08 86ee40605b 88593f01c3 8992dcf885 8eb38dcace 8eb82bd234 8fa86aec5d 90cd41269c 90dad467fd 92f4fc897d 9357145c99
-- further: 94c89a4d72 95d288e97f 95e4bac274 967253b3b7 999a8050c4 9ab1793472 9b17678738 9bac37aea5 9bb46897f2 9e46121f1a 9f20f908bd 9f6f6e72af
-- further: a085a21819 a15d0e7ce8 a1a8a34187 a2a6e305dc a3adb8bb28 a3b3d1ad04 a3ea7f15b5 a4258bfd30 a437fccd87 a46ef6fb00 a47eb463db a52c9ea648
-- further: a6015c95ea a6e8355f81 a70799bd6d a7dec733a4 a85a0fd651 a895f564c1 a941af8664 a962db2d40 aa1d4f991a aad5b94e3d aaf301e14f abcc1135ef
-- further: ac1cd2251a ac22a15bee ad45833964 ae7c8a2bd3 aee89dddf1 af3515f79b b032a8a14b b0feafeb51 b265545f91 b3c7ce496d b427855fc3 b45e6ff80b
-- further: b493d7b188 b4cd2151b3 b5dc4dec6f b740354e5e b7971444c9 b7aa694d6a b7abb9ba1e b81d1f748f b898ada0b0 b9b1d1dc9c ba9de5c2a8 bb4bfa15c3
-- further: bb4e4d4d3c bc7481938a beb708e220 bf704b40c9 bfb1d384aa c0801d3f45 c249a68c94 c285554e99 c34d39c8c6 c3d1cc726a c414c63a95 c436f3cc49
-- further: c457af10aa c50437692e c536ec83c7 c5431f2dc3 c57bc9f31b c5c3b2b3d1 c5fc41ded3 c6f218f5b7 c8c38ab447 c91429dae6 c97833ba40 c9d803c882
-- further: cadce9b996 cc191893ee cc6d9c2bf8 ccb560ae6b cce86e55c6 cd80fcddc4 cd8f005867 cd961b81ca d065465038 d0800101a3 d1c3b74629 d20c638a91
-- further: d323a89acb d3f4a9379c d456b25a48 d46d2af4a1 d5501c5722 d6142c7355 d673230329 d69f13425b d8847954d1 d8952ff87d d941866790 d9f37dc365
-- further: dbf2102eaf dc58fdccfe dc5b3e6337 dc7ac9d412 dcf41726e8 dd2c59b9b8 debd1c9f69 df0f92e828 df8779022f e093f9bbde e1ba7ddece e1ef96dd9b
-- further: e247386385 e317753eaa e39da82139 e3dfd29fb8 e486bb5349 e4b786bec2 e6855c8d19 e76cf890fc e7b2c2ab9e e9065b6eef e972c1489b e9977220b3
-- further: e9a35dad1f e9ae962db0 ea2f7d105b eaa250cfb5 eac558281c eacb99ed1f eb469a5464 eba7dd09af ec31a2d12f ec3e13e9dc ec809ba6c6 ecaf36d1c5
-- further: ed6cb4b714 eda406997a eee7700965 f0db6c32a8 f25bcc9064 f28ac36dda f2a5b4e96f f2ca5976ea f3a1a0e9ae f3f296167a f454e51aca f461036256
-- further: f4a8ee1c44 f56632c74f f5811f690c f5f62afaad f6ee04f9fe f88f751292 f97e89eb13 f9c1dc0d00 fa19168178 fcbd95e648 fce3c96c99 fe2894325c
-- further: fe767e9af9

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
-- further: 0918dbf012 0bd5df64ff 0dd26d2d83 190e59f702 2c3085ef05 3079b14923 32ca2c2aeb 361801883b 412f93f4bd 44f940b9d2 49d38dc81f 545098b7a4
-- further: 5617067880 5cebf3bea7 605c0487f3 6e2bdbcc0b 7823b90713 7d3ebde5fa 8119108e28 8157f5f1ac 86a97edeca 879f5caaf7 9adb355631 a031866a1f
-- further: a0e067fd2b a4cd3c4f53 a96d8ade81 aa8e3d46d6 ac74a60900 ad9b83cdf7 b6b000816a bf17d3d219 c2737c82c2 c2bcec9837 cbba499201 d01c7659ff
-- further: d0be58a05f d4e7422dfe d722d28250 d913e12070 de09593212 e6ed3f5016 e73e32edfb ebecd05f74 ed63e35559 edc64a3623 f238bb11cf f2c78848bf
-- further: fddb25abd5
