-- name: findLocationTags
WITH entries AS MATERIALIZED (
  SELECT row_number() OVER (ORDER BY t.id NULLS LAST, l.id)::int AS place, json_build_object('id', l.id, 'name', l.name,
    'external_key', l.external_key, 'is_active', l.is_active, 'tag_type', t.tag_type, 'value', t.value) AS entry
  FROM locations l
  LEFT JOIN tags t ON t.org_id = $1::int
  AND t.location_id = l.id
  AND t.deleted_at IS NULL
  WHERE l.org_id = $2::int
  AND l.deleted_at IS NULL
  ORDER BY place
  LIMIT $3::int
),
present AS (
  SELECT md5(coalesce(string_agg(e.entry::text, ' ' ORDER BY e.place), '')) AS version, count(*)::int AS size
  FROM entries e
),
measured AS (
  SELECT e.place, e.entry, octet_length(e.entry::text) AS bytes,
    sum(octet_length(e.entry::text)) OVER (ORDER BY e.place) AS bytes_to
  FROM entries e
  WHERE e.place > $4::int
),
page AS (
  SELECT json_agg(m.entry ORDER BY m.place) AS tags, max(m.place) AS last
  FROM measured m
  WHERE m.bytes_to - m.bytes < $5::int
)
SELECT p.version, CASE WHEN p.version IS DISTINCT FROM $6::text THEN coalesce(page.tags, '[]') END AS tags, CASE 
  HEN p.version IS DISTINCT FROM $7::text
AND page.last < p.size THEN page.last END AS next
FROM present p
CROSS JOIN page;
