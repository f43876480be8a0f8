-- name: findLocationTags
WITH named AS (
  SELECT false AS is_container, l.id, l.name, l.external_key, l.is_active, t.id AS tag_id, t.tag_type, t.value
  FROM locations l
  LEFT JOIN tags t ON t.org_id = $1::int
  AND t.location_id = l.id
  AND t.deleted_at IS NULL
  WHERE l.org_id = $2::int
  AND l.deleted_at IS NULL
  UNION ALL SELECT true, a.id, a.name, a.external_key, a.is_active, t.id, t.tag_type, t.value
  FROM asset_kinds h
  JOIN assets a ON a.org_id = h.org_id
  AND a.kind_id = h.id
  AND a.deleted_at IS NULL
  LEFT JOIN tags t ON t.org_id = $3::int
  AND t.asset_id = a.id
  AND t.deleted_at IS NULL
  WHERE h.org_id = $4::int
  AND h.holds_assets
),
entries AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY n.is_container, n.tag_id NULLS LAST, n.id)::int AS place, json_build_object('is_container',
    n.is_container, 'id', n.id, 'name', n.name, 'external_key', n.external_key, 'is_active', n.is_active, 'tag_type', n.tag_type,
    'value', n.value) AS entry
  FROM named n
  ORDER BY place
  LIMIT $5::int
),
present AS (
  SELECT md5(coalesce(string_agg(e.entry::text, ' ' ORDER BY e.place), '')) AS version, count(*)::int AS size
  FROM entries e
),
measured AS (
  SELECT e.place, e.entry, octet_length(e.entry::text) AS bytes,
    sum(octet_length(e.entry::text)) OVER (ORDER BY e.place) AS bytes_to
  FROM entries e
  WHERE e.place > $6::int
),
page AS (
  SELECT json_agg(m.entry ORDER BY m.place) AS tags, max(m.place) AS last
  FROM measured m
  WHERE m.bytes_to - m.bytes < $7::int
)
SELECT p.version, CASE WHEN p.version IS DISTINCT FROM $8::text THEN coalesce(page.tags, '[]') END AS tags, CASE
  WHEN p.version IS DISTINCT FROM $9::text
AND page.last < p.size THEN page.last END AS next
FROM present p
CROSS JOIN page;
