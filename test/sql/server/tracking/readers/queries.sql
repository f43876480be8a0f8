-- name: insertReader
INSERT INTO readers (org_id, name, format, mapping, location_id, mqtt_username, secret_hash, publish_topic, more_topics,
  resolution_seconds, use_receipt_time, count_private_addresses, location_rule, created_at, updated_at)
SELECT $1::int, $2, $3, $4::jsonb, $5::int, $6, $7, $8, $9::text[], $10::int, $11::boolean, $12::boolean, $13, now_ms.at,
  now_ms.at
FROM (SELECT date_trunc('milliseconds', clock_timestamp()) AS at) now_ms
RETURNING id;

-- name: findReader
SELECT r.id, r.name, r.format, r.mapping, r.location_id, (
  SELECT coalesce(json_agg(json_build_object('port', a.port, 'location_id', a.location_id, 'min_rssi_dbm', a.min_rssi_dbm, 'kind',
    a.kind) ORDER BY a.port), '[]')
  FROM reader_antennas a
  WHERE a.reader_id = r.id
) AS antennas, r.mqtt_username, r.publish_topic, r.more_topics, r.resolution_seconds, r.use_receipt_time,
  r.count_private_addresses, r.location_rule, r.clock_offset_ms::float8 AS clock_offset_ms, round(date_part('epoch',
  r.last_message_at) * 1000) AS last_message_at, round(date_part('epoch', r.last_connected_at) * 1000) AS last_connected_at,
  round(date_part('epoch', r.last_refused_at) * 1000) AS last_refused_at, r.last_refusal_reason, round(date_part('epoch',
  r.created_at) * 1000) AS created_at, round(date_part('epoch', r.updated_at) * 1000) AS updated_at
FROM readers r
WHERE r.org_id = $1
AND r.id = $2
AND r.deleted_at IS NULL;

-- name: lockReader
SELECT 1
FROM readers
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL
FOR NO KEY UPDATE;

-- name: listReaderRows
SELECT r.id, r.name, r.format, r.mapping, r.location_id, (
  SELECT coalesce(json_agg(json_build_object('port', a.port, 'location_id', a.location_id, 'min_rssi_dbm', a.min_rssi_dbm, 'kind',
    a.kind) ORDER BY a.port), '[]')
  FROM reader_antennas a
  WHERE a.reader_id = r.id
) AS antennas, r.mqtt_username, r.publish_topic, r.more_topics, r.resolution_seconds, r.use_receipt_time,
  r.count_private_addresses, r.location_rule, r.clock_offset_ms::float8 AS clock_offset_ms, round(date_part('epoch',
  r.last_message_at) * 1000) AS last_message_at, round(date_part('epoch', r.last_connected_at) * 1000) AS last_connected_at,
  round(date_part('epoch', r.last_refused_at) * 1000) AS last_refused_at, r.last_refusal_reason, round(date_part('epoch',
  r.created_at) * 1000) AS created_at, round(date_part('epoch', r.updated_at) * 1000) AS updated_at
FROM readers r
WHERE r.org_id = $1
AND r.deleted_at IS NULL
ORDER BY r.name COLLATE natural_order, r.id
LIMIT $2::int
OFFSET $3::int;

-- name: changeReader
UPDATE readers
SET name = $1, recognized_format = CASE WHEN format = $2 THEN recognized_format END, format = $3, mapping = $4::jsonb,
  location_id = $5::int, publish_topic = $6, more_topics = $7::text[], resolution_seconds = $8::int,
  use_receipt_time = $9::boolean, count_private_addresses = $10::boolean, location_rule = $11,
  updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $12
AND id = $13;

-- name: replaceAntennas
DELETE FROM reader_antennas
WHERE org_id = $1
AND reader_id = $2;

-- name: replaceAntennas
INSERT INTO reader_antennas (org_id, reader_id, port, location_id, min_rssi_dbm, kind)
SELECT $1::int, $2::int, a.port, a.location_id, a.min_rssi_dbm, a.kind
FROM unnest($3::int[], $4::int[], $5::int[], $6::text[]) AS a (port, location_id, min_rssi_dbm, kind);

-- name: retireReader
UPDATE readers
SET deleted_at = date_trunc('milliseconds', clock_timestamp()), updated_at = greatest(date_trunc('milliseconds',
  clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $1
AND id = $2
AND deleted_at IS NULL;

-- name: restoreReaderRow
UPDATE readers
SET deleted_at = NULL, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $1
AND id = $2
AND deleted_at > clock_timestamp() - make_interval(days => $3::int);

-- name: antennaCount
SELECT count(*)::int AS count
FROM reader_antennas a
JOIN readers r ON r.id = a.reader_id
WHERE r.org_id = $1
AND r.id = $2;

-- name: locationNames
SELECT id, name
FROM locations
WHERE org_id = $1
AND id = ANY ($2::int[])
AND deleted_at IS NULL
ORDER BY id;

-- name: findLogin
SELECT id, org_id, mqtt_username, secret_hash, format, mapping, publish_topic, more_topics, deleted_at IS NOT NULL AS is_deleted
FROM readers
WHERE mqtt_username = $1
AND deleted_at IS NULL;

-- name: findLogins
SELECT id, org_id, mqtt_username, secret_hash, format, mapping, publish_topic, more_topics, deleted_at IS NOT NULL AS is_deleted
FROM readers
WHERE mqtt_username = ANY ($1::text[])
AND deleted_at IS NULL;

-- name: findChanges
SELECT round(date_part('epoch', clock_timestamp()) * 1000) AS now_ms, r.*
FROM (VALUES (1)) one
LEFT JOIN LATERAL (
  SELECT id, org_id, mqtt_username, secret_hash, format, mapping, publish_topic, more_topics, deleted_at IS NOT NULL AS is_deleted
  FROM readers
  WHERE updated_at >= to_timestamp($1::float8 / 1000)
) r ON true;
