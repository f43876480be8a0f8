-- name: readClock
SELECT round(date_part('epoch', clock_timestamp()) * 1000) AS now_ms;

-- name: lastMessages
SELECT org_id, id, round(date_part('epoch', last_message_at) * 1000) AS last_message_at
FROM readers
WHERE org_id = ANY ($1::int[])
AND deleted_at IS NULL
AND last_message_at >= to_timestamp($2::float8 / 1000);
