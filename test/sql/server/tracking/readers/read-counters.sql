-- name: addCounts
WITH given AS MATERIALIZED (
  SELECT g.*, to_timestamp(g.minute_ms / 1000) AS minute, to_timestamp(floor(g.minute_ms / 600000) * 600) AS slot
  FROM unnest($1::int[], $2::int[], $3::float8[], $4::int[], $5::int[], $6::int[], $7::int[]) AS g (org_id, reader_id, minute_ms,
    messages, reads, rejected, ignored)
  JOIN organizations o ON o.id = g.org_id
),
of_readers AS (
  INSERT INTO reader_minutes AS m (org_id, reader_id, minute, messages, reads, rejected, ignored)
  SELECT g.org_id, g.reader_id, g.minute, g.messages, g.reads, g.rejected, g.ignored
  FROM given g
  WHERE g.reader_id IS NOT NULL
  ORDER BY g.org_id, g.reader_id, g.minute ON CONFLICT (org_id, reader_id, minute) DO UPDATE
  SET messages = m.messages + EXCLUDED.messages, reads = m.reads + EXCLUDED.reads, rejected = m.rejected + EXCLUDED.rejected,
    ignored = m.ignored + EXCLUDED.ignored
) INSERT INTO read_counts AS c (org_id, slot, reads)
SELECT g.org_id, g.slot, sum(g.reads)
FROM given g
GROUP BY g.org_id, g.slot
HAVING sum(g.reads) > 0
ORDER BY g.org_id, g.slot ON CONFLICT (org_id, slot) DO UPDATE
SET reads = c.reads + EXCLUDED.reads;

-- name: removeOldCounts
DELETE FROM reader_minutes
WHERE minute < now() - make_interval(days => $1::int);

-- name: removeOldCounts
DELETE FROM read_counts
WHERE slot < now() - make_interval(days => $1::int);
