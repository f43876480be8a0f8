-- name: removeOldRejectedMessages
DELETE FROM rejected_messages
WHERE
  received_at < now() - make_interval(days => $1::int);
-- plan:
--   ModifyTable rejected_messages
--     Index Scan rejected_messages by rejected_messages_received_at_idx

-- name: removeOldRejectedMessages
DELETE FROM rejected_messages m USING (
  SELECT
    reader_id,
    max(id) AS id
  FROM
    (
      SELECT
        reader_id,
        id,
        row_number() OVER (
          PARTITION BY
            reader_id
          ORDER BY
            id DESC
        ) AS ordinal
      FROM
        rejected_messages
    ) numbered
  WHERE
    ordinal > $1::int
  GROUP BY
    reader_id
) surplus
WHERE
  m.reader_id = surplus.reader_id
  AND m.id <= surplus.id;
-- plan:
--   ModifyTable rejected_messages
--     Nested Loop
--       Subquery Scan
--         Aggregate
--           Subquery Scan
--             WindowAgg
--               Sort
--                 Bitmap Heap Scan rejected_messages
--                   Bitmap Index Scan by rejected_messages_reader (whole)
--       Index Scan rejected_messages by rejected_messages_pkey

-- name: removeOldRejectedMessages
DELETE FROM rejected_messages m USING (
  SELECT
    org_id,
    max(id) AS id
  FROM
    (
      SELECT
        org_id,
        id,
        row_number() OVER newest AS ordinal,
        sum(octet_length(payload)) OVER newest AS payload_bytes
      FROM
        rejected_messages
      WINDOW
        newest AS (
          PARTITION BY
            org_id
          ORDER BY
            id DESC
        )
    ) numbered
  WHERE
    ordinal > $1::int
    OR payload_bytes > $2::int8
  GROUP BY
    org_id
) surplus
WHERE
  m.org_id = surplus.org_id
  AND m.id <= surplus.id;
-- plan:
--   ModifyTable rejected_messages
--     Hash Join
--       Index Scan rejected_messages by rejected_messages_reader (whole)
--       Hash
--         Subquery Scan
--           Aggregate
--             Subquery Scan
--               WindowAgg
--                 Incremental Sort
--                   Index Scan rejected_messages by rejected_messages_reader (whole)
