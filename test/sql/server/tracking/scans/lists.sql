-- name: listUnknownRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT *
  FROM unknown_tags u
  WHERE u.org_id = $1
  ORDER BY u.last_seen DESC, u.id
  LIMIT $2
  OFFSET $3
),
counts AS (SELECT (SELECT count(*)::float8 FROM unknown_tags u WHERE u.org_id = $4) AS total_count)
SELECT counts.*, u.id::float8 AS id, u.value, u.tag_type, u.reader_id, u.antenna, u.count::float8 AS count,
  round(date_part('epoch', u.first_seen) * 1000) AS first_seen, round(date_part('epoch', u.last_seen) * 1000) AS last_seen
FROM counts
LEFT JOIN page u ON true
ORDER BY u.last_seen DESC, u.id;

-- name: listRejectedRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT *
  FROM rejected_messages m
  WHERE m.org_id = $1
  AND m.reader_id = $2
  ORDER BY m.received_at DESC, m.id
  LIMIT $3
  OFFSET $4
),
counts AS (
  SELECT (SELECT count(*)::float8 FROM rejected_messages m WHERE m.org_id = $5 AND m.reader_id = $6) AS total_count
)
SELECT counts.*, m.id::float8 AS id, m.reader_id, m.topic, m.reason, m.payload, round(date_part('epoch',
  m.received_at) * 1000) AS received_at
FROM counts
LEFT JOIN page m ON true
ORDER BY m.received_at DESC, m.id;

-- name: listRejectedRows
WITH RECURSIVE page AS MATERIALIZED (
  SELECT *
  FROM rejected_messages m
  WHERE m.org_id = $1
  ORDER BY m.received_at DESC, m.id
  LIMIT $2
  OFFSET $3
),
counts AS (SELECT (SELECT count(*)::float8 FROM rejected_messages m WHERE m.org_id = $4) AS total_count)
SELECT counts.*, m.id::float8 AS id, m.reader_id, m.topic, m.reason, m.payload, round(date_part('epoch',
  m.received_at) * 1000) AS received_at
FROM counts
LEFT JOIN page m ON true
ORDER BY m.received_at DESC, m.id;
