-- name: findDeliveries
SELECT d.id::float8 AS id, d.endpoint_id, d.event_key::text AS event_id, d.event_type, d.status, d.attempts, CASE
  WHEN d.status = 'pending' THEN api_timestamp(d.next_attempt_at) END AS next_attempt_at,
  api_timestamp(d.created_at) AS created_at, api_timestamp(d.finished_at) AS finished_at, d.last_status_code, d.last_error, (
  SELECT t.duration_ms
  FROM webhook_attempts t
  WHERE t.delivery_id = d.id
  ORDER BY t.id DESC
  LIMIT 1
) AS last_duration_ms
FROM webhook_deliveries d
WHERE d.org_id = $1::int
AND d.endpoint_id = $2::int
AND d.status = $3
ORDER BY d.id DESC
LIMIT $4::int;

-- name: findDeliveries
SELECT d.id::float8 AS id, d.endpoint_id, d.event_key::text AS event_id, d.event_type, d.status, d.attempts, CASE
  WHEN d.status = 'pending' THEN api_timestamp(d.next_attempt_at) END AS next_attempt_at,
  api_timestamp(d.created_at) AS created_at, api_timestamp(d.finished_at) AS finished_at, d.last_status_code, d.last_error, (
  SELECT t.duration_ms
  FROM webhook_attempts t
  WHERE t.delivery_id = d.id
  ORDER BY t.id DESC
  LIMIT 1
) AS last_duration_ms
FROM webhook_deliveries d
WHERE d.org_id = $1::int
AND d.endpoint_id = $2::int
ORDER BY d.id DESC
LIMIT $3::int;

-- name: findDelivery
SELECT d.id::float8 AS id, d.endpoint_id, d.event_key::text AS event_id, d.event_type, d.status, d.attempts, CASE
  WHEN d.status = 'pending' THEN api_timestamp(d.next_attempt_at) END AS next_attempt_at,
  api_timestamp(d.created_at) AS created_at, api_timestamp(d.finished_at) AS finished_at, d.last_status_code, d.last_error, (
  SELECT t.duration_ms
  FROM webhook_attempts t
  WHERE t.delivery_id = d.id
  ORDER BY t.id DESC
  LIMIT 1
) AS last_duration_ms, d.body, (
  SELECT coalesce(json_agg(json_build_object('attempted_at', api_timestamp(t.attempted_at), 'duration_ms', t.duration_ms,
    'status_code', t.status_code, 'error', t.error, 'answer', t.answer) ORDER BY t.id), '[]')
  FROM webhook_attempts t
  WHERE t.delivery_id = d.id
) AS attempt_rows
FROM webhook_deliveries d
WHERE d.org_id = $1::int
AND d.id = $2::int8;

-- name: resendDelivery
SELECT w.id, w.is_enabled
FROM webhook_endpoints w
WHERE w.id = (SELECT d.endpoint_id FROM webhook_deliveries d WHERE d.org_id = $1::int AND d.id = $2::int8)
FOR NO KEY UPDATE;

-- name: resendDelivery
SELECT d.status
FROM webhook_deliveries d
WHERE d.org_id = $1::int
AND d.id = $2::int8
FOR NO KEY UPDATE;

-- name: resendDelivery
-- further: 9fa75e6b54

-- name: insertDeliveries
INSERT INTO webhook_deliveries (org_id, endpoint_id, event_key, event_type, body, next_attempt_at, created_at)
SELECT g.org_id, g.endpoint_id, g.event_key, g.event_type, g.body, date_trunc('milliseconds', clock_timestamp()),
  date_trunc('milliseconds', clock_timestamp())
FROM unnest($1::int[], $2::int[], $3::uuid[], $4::text[], $5::text[]) WITH ORDINALITY AS g (org_id, endpoint_id, event_key,
  event_type, body, no)
JOIN webhook_endpoints w ON w.org_id = g.org_id
AND w.id = g.endpoint_id
AND w.is_enabled
ORDER BY g.no ON CONFLICT (endpoint_id, event_key) DO NOTHING
RETURNING id::float8 AS id;
