-- name: writeRefusals
UPDATE readers r
SET last_refused_at = n.at, last_refusal_reason = n.reason
FROM (
  SELECT l.id, g.reason, date_trunc('milliseconds', clock_timestamp()) - make_interval(secs => g.ago_ms / 1000) AS at
  FROM unnest($1::text[], $2::text[], $3::float8[]) AS g (username, reason, ago_ms)
  JOIN readers l ON l.mqtt_username = g.username
  AND l.deleted_at IS NULL
  ORDER BY l.id
  FOR NO KEY UPDATE OF l
) n
WHERE r.id = n.id
AND (r.last_refused_at IS NULL OR r.last_refused_at < n.at - interval '9 seconds'
  OR r.last_refused_at < n.at AND r.last_refusal_reason <> n.reason);

-- name: writeConnected
UPDATE readers r
SET last_connected_at = date_trunc('milliseconds', clock_timestamp())
FROM (SELECT id FROM readers WHERE id = ANY($1::int[]) ORDER BY id FOR NO KEY UPDATE) n
WHERE r.id = n.id;

-- name: writeFormats
UPDATE readers r
SET recognized_format = n.format
FROM (
  SELECT l.id, g.format
  FROM unnest($1::int[], $2::text[]) AS g (reader_id, format)
  JOIN readers l ON l.id = g.reader_id
  AND l.format <> g.format
  ORDER BY l.id
  FOR NO KEY UPDATE OF l
) n
WHERE r.id = n.id;
