-- name: locationIsLive
SELECT 1
FROM locations
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL;

-- name: findLocationNames
SELECT id, name
FROM locations
WHERE org_id = $1::int
AND id = ANY ($2::int[]);

-- name: resolveSubmittedReads
SELECT DISTINCT ON (n.ordinal) n.ordinal, n.asset_id, n.location_id
FROM (
  SELECT c.ordinal, m.asset_id, m.location_id, m.tag_type, m.id, CASE WHEN c.rank = 0 THEN 0 ELSE 2 END AS rank_1, CASE
    WHEN c.rank > 0 THEN c.rank WHEN m.value <> c.value COLLATE "C" THEN 1 ELSE 0 END AS rank_2,
    (m.asset_id IS NULL)::int AS rank_3, k.rank AS rank_4
  FROM unnest($1::int[], $2::int[], $3::text[], $4::text[]) AS c (ordinal, rank, type, value)
  JOIN (VALUES ('rfid', 1), ('ble', 2), ('barcode', 3)) AS k (tag_type, rank) ON c.type IS NULL OR c.type = k.tag_type
  CROSS JOIN LATERAL (
    SELECT t.id, t.asset_id, t.location_id, t.tag_type, t.value
    FROM tags t
    WHERE t.org_id + 0 = $5::int
    AND t.tag_type = k.tag_type
    AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, c.value)
    AND t.deleted_at IS NULL
    OFFSET 0
  ) m
  UNION ALL SELECT l.ordinal, a.id, NULL, NULL, a.id, 1, 0, 0, 0
  FROM unnest($6::int[], $7::int[]) AS l (ordinal, id)
  JOIN assets a ON a.org_id = $8::int
  AND a.id = l.id
  AND a.deleted_at IS NULL
  UNION ALL SELECT l.ordinal, NULL, o.id, NULL, o.id, 1, 0, 1, 0
  FROM unnest($9::int[], $10::int[]) AS l (ordinal, id)
  JOIN locations o ON o.org_id = $11::int
  AND o.id = l.id
  AND o.deleted_at IS NULL
  UNION ALL SELECT c.ordinal, a.id, NULL, NULL, a.id, 3, c.rank, 0, 0
  FROM unnest($12::int[], $13::int[], $14::text[]) AS c (ordinal, rank, key)
  JOIN assets a ON a.org_id = $15::int
  AND a.external_key = c.key
  AND a.deleted_at IS NULL
  UNION ALL SELECT c.ordinal, NULL, o.id, NULL, o.id, 3, c.rank, 1, 0
  FROM unnest($16::int[], $17::int[], $18::text[]) AS c (ordinal, rank, key)
  JOIN locations o ON o.org_id = $19::int
  AND o.external_key = c.key
  AND o.deleted_at IS NULL
) n
ORDER BY n.ordinal, n.rank_1, n.rank_2, n.rank_3, n.rank_4, n.id;

-- name: lockLiveAssets
SELECT id
FROM assets
WHERE org_id = $1
AND id = ANY ($2::int[])
AND deleted_at IS NULL
ORDER BY id
FOR SHARE;

-- name: submissionInstants
SELECT round(date_part('epoch', at) * 1000) AS now_ms
FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) present;
