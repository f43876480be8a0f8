-- name: readPlacedAssets
SELECT a.id, a.external_key, a.name, a.description, a.is_active, (
  SELECT json_build_object('id', k.id, 'name', k.name, 'icon', k.icon, 'color', k.color, 'image_id', k.image_id)
  FROM asset_kinds k
  WHERE k.org_id = a.org_id
  AND k.id = a.kind_id
) AS kind, EXISTS (
  SELECT
  FROM asset_problems q
  WHERE q.org_id = $1
  AND q.asset_id = a.id
  AND q.resolved_at IS NULL
  OFFSET 0
) AS has_problem, round(date_part('epoch', a.valid_from) * 1000) AS valid_from, round(date_part('epoch',
  a.valid_to) * 1000) AS valid_to, round(date_part('epoch', a.created_at) * 1000) AS created_at, round(date_part('epoch',
  a.updated_at) * 1000) AS updated_at, (
  SELECT coalesce(json_agg(json_build_object('id', t.id, 'tag_type', t.tag_type, 'value', t.value) ORDER BY t.id), '[]')
  FROM tags t
  WHERE t.org_id = a.org_id
  AND t.asset_id = a.id
) AS tags, '{}'::json AS details, (
  SELECT min(m.battery)
  FROM tags k
  JOIN tag_telemetry m ON m.tag_id = k.id
  AND m.org_id = k.org_id
  WHERE k.org_id = a.org_id
  AND k.asset_id = a.id
  AND k.deleted_at IS NULL
) AS battery, p.location_id, round(date_part('epoch', p.asset_last_seen) * 1000) AS asset_last_seen, round(date_part('epoch',
  p.located_since) * 1000) AS located_since
FROM unnest($2::int[]) WITH ORDINALITY AS wanted (id, no)
CROSS JOIN LATERAL (
  SELECT *
  FROM assets r
  WHERE r.org_id = $3
  AND r.id = wanted.id
  AND r.deleted_at IS NULL
  OFFSET 0
) a
LEFT JOIN LATERAL (
  SELECT r.location_id, r.asset_last_seen, r.located_since
  FROM asset_positions r
  WHERE r.org_id = $4
  AND r.asset_id = a.id
  OFFSET 0
) p ON true
ORDER BY wanted.no;

-- name: readPlacedAssets
-- further: 1b16f23b92 1ff4bada55 67689c3c88 6b7c874ca4 9176c17755 95e5cbb12d 962840717f c22f1404b5 cc1ba19b8f d90e638ee0 e785f6b432 fb501ff87b
