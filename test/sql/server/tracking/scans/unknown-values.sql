-- name: listUnknownValueRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT u.id, u.tag_type, u.value, u.last_seen
  FROM unknown_tags u
  WHERE u.org_id = $1::int
  AND NOT EXISTS (
    SELECT 1
    FROM unknown_tags o
    WHERE o.org_id = $2::int
    AND o.tag_type = u.tag_type
    AND o.value = u.value
    AND (o.last_seen > u.last_seen OR o.last_seen = u.last_seen AND o.id < u.id)
    OFFSET 0
  )
  AND NOT EXISTS (
    SELECT 1
    FROM (VALUES ('rfid'), ('ble'), ('barcode')) AS k (tag_type)
    CROSS JOIN LATERAL (
      SELECT 1
      FROM tags t
      WHERE t.org_id + 0 = $3::int
      AND t.tag_type = k.tag_type
      AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, u.value)
      AND t.deleted_at IS NULL
      OFFSET 0
    ) same
    WHERE u.tag_type IS NULL OR u.tag_type = k.tag_type
    OFFSET 0
  )
  ORDER BY u.last_seen DESC, u.id
  LIMIT $4
  OFFSET $5
),
counts AS (
  SELECT (
    SELECT count(*)::float8
    FROM (
      SELECT 1
      FROM unknown_tags u
      WHERE u.org_id = $6::int
      AND NOT EXISTS (
        SELECT 1
        FROM unknown_tags o
        WHERE o.org_id = $7::int
        AND o.tag_type = u.tag_type
        AND o.value = u.value
        AND (o.last_seen > u.last_seen OR o.last_seen = u.last_seen AND o.id < u.id)
        OFFSET 0
      )
      AND NOT EXISTS (
        SELECT 1
        FROM (VALUES ('rfid'), ('ble'), ('barcode')) AS k (tag_type)
        CROSS JOIN LATERAL (
          SELECT 1
          FROM tags t
          WHERE t.org_id + 0 = $8::int
          AND t.tag_type = k.tag_type
          AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, u.value)
          AND t.deleted_at IS NULL
          OFFSET 0
        ) same
        WHERE u.tag_type IS NULL OR u.tag_type = k.tag_type
        OFFSET 0
      )
      LIMIT $9::int
    ) bounded
  ) AS total_count
)
SELECT counts.*, u.id::float8 AS id, u.tag_type, u.value, summed.*
FROM counts
LEFT JOIN (page u CROSS JOIN LATERAL (
  SELECT sum(r.count)::float8 AS count, min(r.first_seen) AS first_seen, max(r.last_seen) AS last_seen,
    count(*)::int AS place_count, (array_agg(json_build_object('reader', r.reader, 'antenna', r.antenna, 'location', r.location,
    'count', r.count, 'last_seen', r.last_seen) ORDER BY r.last_seen DESC))[1:$10::int] AS places
  FROM (
    SELECT p.count::float8 AS count, round(date_part('epoch', p.first_seen) * 1000) AS first_seen, round(date_part('epoch',
      p.last_seen) * 1000) AS last_seen, CASE WHEN d.id IS NOT NULL THEN json_build_object('id', d.id, 'name',
      d.name) END AS reader, p.antenna, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name',
      l.name) END AS location
    FROM unknown_tags p
    LEFT JOIN readers d ON d.org_id = p.org_id
    AND d.id = p.reader_id
    AND d.deleted_at IS NULL
    LEFT JOIN reader_antennas a ON a.reader_id = d.id
    AND a.port = p.antenna
    LEFT JOIN locations l ON l.org_id = p.org_id
    AND l.id = coalesce(a.location_id, d.location_id)
    AND l.deleted_at IS NULL
    WHERE p.org_id = $11::int
    AND u.tag_type = p.tag_type
    AND p.value = u.value
    UNION ALL SELECT p.count::float8 AS count, round(date_part('epoch', p.first_seen) * 1000) AS first_seen,
      round(date_part('epoch', p.last_seen) * 1000) AS last_seen, CASE WHEN d.id IS NOT NULL THEN json_build_object('id', d.id,
      'name', d.name) END AS reader, p.antenna, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name',
      l.name) END AS location
    FROM unknown_tags p
    LEFT JOIN readers d ON d.org_id = p.org_id
    AND d.id = p.reader_id
    AND d.deleted_at IS NULL
    LEFT JOIN reader_antennas a ON a.reader_id = d.id
    AND a.port = p.antenna
    LEFT JOIN locations l ON l.org_id = p.org_id
    AND l.id = coalesce(a.location_id, d.location_id)
    AND l.deleted_at IS NULL
    WHERE p.org_id = $12::int
    AND u.tag_type IS NULL
    AND p.tag_type IS NULL
    AND p.value = u.value
  ) r
) summed) ON true
ORDER BY u.last_seen DESC, u.id;

-- name: listUnknownValueRows
-- further: 7c562efa06 d62c451928

-- name: removeUnknownValues
DELETE FROM unknown_tags
WHERE id IN (
  SELECT u.id
  FROM unnest($1::text[], $2::text[]) AS g (tag_type, value)
  JOIN unknown_tags u ON u.org_id = $3::int
  AND u.value = g.value
  AND (u.tag_type = g.tag_type OR u.tag_type IS NULL AND g.tag_type IS NULL)
  ORDER BY u.tag_type, u.value, u.reader_id, u.antenna
  FOR UPDATE OF u
);

-- name: removeKnownValues
DELETE FROM unknown_tags
WHERE id IN (
  SELECT u.id
  FROM unknown_tags u
  WHERE EXISTS (
    SELECT 1
    FROM (VALUES ('rfid'), ('ble'), ('barcode')) AS k (tag_type)
    CROSS JOIN LATERAL (
      SELECT 1
      FROM tags t
      WHERE t.org_id + 0 = u.org_id
      AND t.tag_type = k.tag_type
      AND tag_normal_form(t.tag_type, t.value) = tag_normal_form(k.tag_type, u.value)
      AND t.deleted_at IS NULL
      OFFSET 0
    ) same
    WHERE u.tag_type IS NULL OR u.tag_type = k.tag_type
    OFFSET 0
  )
  FOR UPDATE SKIP LOCKED
);
