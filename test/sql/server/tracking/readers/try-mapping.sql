-- name: lastRejected
SELECT topic, payload, round(date_part('epoch', received_at) * 1000) AS received_at
FROM rejected_messages
WHERE org_id = $1
AND reader_id = $2
ORDER BY received_at DESC, id
LIMIT $3::int;
