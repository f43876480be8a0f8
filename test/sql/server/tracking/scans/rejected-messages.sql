-- name: removeOldRejectedMessages
DELETE FROM rejected_messages
WHERE received_at < now() - make_interval(days => $1::int);

-- name: removeOldRejectedMessages
DELETE FROM rejected_messages m USING (
  SELECT reader_id, max(id) AS id
  FROM (
    SELECT reader_id, id, row_number() OVER (PARTITION BY reader_id ORDER BY id DESC) AS ordinal
    FROM rejected_messages
  ) numbered
  WHERE ordinal > $1::int
  GROUP BY reader_id
) surplus
WHERE m.reader_id = surplus.reader_id
AND m.id <= surplus.id;

-- name: removeOldRejectedMessages
-- further: 80181c45fa
