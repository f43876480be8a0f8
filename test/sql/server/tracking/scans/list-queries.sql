-- name: listUnknownRows
SELECT
  page.*,
  counted.total_count
FROM
  (
    SELECT
      count(*)::int AS total_count
    FROM
      unknown_tags
    WHERE
      org_id = $1
  ) counted
  LEFT JOIN LATERAL (
    SELECT
      u.id::float8 AS id,
      u.value,
      u.tag_type,
      u.reader_id,
      u.antenna,
      u.count::float8 AS count,
      round(date_part('epoch', u.first_seen) * 1000) AS first_seen,
      round(date_part('epoch', u.last_seen) * 1000) AS last_seen
    FROM
      unknown_tags u
    WHERE
      u.org_id = $2
    ORDER BY
      u.last_seen DESC,
      u.id
    LIMIT
      $3::int
    OFFSET
      $4::int
  ) page ON true;
-- plan:
--   Nested Loop
--     Aggregate
--       Bitmap Heap Scan unknown_tags
--         Bitmap Index Scan by unknown_tags_place_key
--     Limit
--       Sort
--         Bitmap Heap Scan unknown_tags
--           Bitmap Index Scan by unknown_tags_place_key

-- name: listRejectedRows
SELECT
  page.*,
  counted.total_count
FROM
  (
    SELECT
      count(*)::int AS total_count
    FROM
      rejected_messages
    WHERE
      org_id = $1
  ) counted
  LEFT JOIN LATERAL (
    SELECT
      m.id::float8 AS id,
      m.reader_id,
      m.topic,
      m.reason,
      m.payload,
      round(date_part('epoch', m.received_at) * 1000) AS received_at
    FROM
      rejected_messages m
    WHERE
      m.org_id = $2
    ORDER BY
      m.received_at DESC,
      m.id
    LIMIT
      $3::int
    OFFSET
      $4::int
  ) page ON true;
-- plan:
--   Nested Loop
--     Aggregate
--       Bitmap Heap Scan rejected_messages
--         Bitmap Index Scan by rejected_messages_reader
--     Limit
--       Index Scan rejected_messages by rejected_messages_org_id_received_at_id_idx

-- name: listRejectedRowsOfReader
SELECT
  page.*,
  counted.total_count
FROM
  (
    SELECT
      count(*)::int AS total_count
    FROM
      rejected_messages
    WHERE
      org_id = $1
      AND reader_id = $2
  ) counted
  LEFT JOIN LATERAL (
    SELECT
      m.id::float8 AS id,
      m.reader_id,
      m.topic,
      m.reason,
      m.payload,
      round(date_part('epoch', m.received_at) * 1000) AS received_at
    FROM
      rejected_messages m
    WHERE
      m.org_id = $3
      AND m.reader_id = $4
    ORDER BY
      m.received_at DESC,
      m.id
    LIMIT
      $5::int
    OFFSET
      $6::int
  ) page ON true;
-- plan:
--   Nested Loop
--     Aggregate
--       Index Only Scan rejected_messages by rejected_messages_reader
--     Limit
--       Index Scan rejected_messages by rejected_messages_reader
