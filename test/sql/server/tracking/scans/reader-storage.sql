-- name: storeSkippedHeartbeats
UPDATE readers
SET last_message_at = to_timestamp($1::float8 / 1000)
WHERE id = $2::int
AND (last_message_at IS NULL OR last_message_at < to_timestamp($3::float8 / 1000) - interval '1 second');
