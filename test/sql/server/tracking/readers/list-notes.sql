-- name: listNotes
SELECT n.kind, n.subject, n.detail, n.payload, n.count::float8 AS count, round(date_part('epoch', n.noted_at) * 1000) AS noted_at
FROM reader_notes n
JOIN readers r ON r.org_id = n.org_id
AND r.id = n.reader_id
AND r.deleted_at IS NULL
WHERE n.org_id = $1
AND n.reader_id = $2
AND n.noted_at > now() - interval '7 days'
ORDER BY n.noted_at DESC, n.kind, n.subject;
