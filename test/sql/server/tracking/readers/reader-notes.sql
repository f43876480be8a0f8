-- name: writeReaderNotes
INSERT INTO reader_notes (org_id, reader_id, kind, subject, detail, payload, count, noted_at)
SELECT r.org_id, r.id, g.kind, g.subject, g.detail, decode(g.payload, 'base64'), g.count, date_trunc('milliseconds',
  clock_timestamp())
FROM unnest($1::int[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int8[]) AS g (org_id, reader_id, kind,
  subject, detail, payload, count)
JOIN readers r ON r.org_id = g.org_id
AND r.id = g.reader_id
AND r.deleted_at IS NULL
ORDER BY r.id, g.kind, g.subject ON CONFLICT (org_id, reader_id, kind, subject) DO UPDATE
SET detail = excluded.detail, payload = excluded.payload, noted_at = excluded.noted_at,
  count = reader_notes.count + excluded.count;

-- name: writeReaderNotes
DELETE FROM reader_notes n USING (
  SELECT m.org_id, m.reader_id, m.kind, m.subject, row_number() OVER (PARTITION BY m.reader_id, m.kind ORDER BY m.noted_at DESC,
    m.subject) AS ordinal
  FROM reader_notes m
  WHERE m.org_id = ANY ($1::int[])
  AND m.reader_id = ANY ($2::int[])
) numbered
WHERE n.org_id = numbered.org_id
AND n.reader_id = numbered.reader_id
AND n.kind = numbered.kind
AND n.subject = numbered.subject
AND numbered.ordinal > $3::int;
