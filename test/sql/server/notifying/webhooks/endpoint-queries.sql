-- name: findEndpoints
SELECT w.id, w.name, w.url, w.event_types, w.is_enabled, w.disabled_reason, w.dropped_count::float8 AS dropped_count,
  w.pending_count, w.pending_bytes::float8 AS pending_bytes, api_timestamp(w.disabled_at) AS disabled_at,
  api_timestamp(w.failing_since) AS failing_since, api_timestamp(w.last_success_at) AS last_success_at,
  api_timestamp(w.last_dropped_at) AS last_dropped_at, api_timestamp(w.previous_secret_until) AS previous_secret_until,
  api_timestamp(w.created_at) AS created_at, api_timestamp(w.updated_at) AS updated_at
FROM webhook_endpoints w
WHERE w.org_id = $1::int
AND w.deleted_at IS NULL
ORDER BY w.name COLLATE natural_order, w.id;

-- name: findEndpoint
SELECT w.id, w.name, w.url, w.event_types, w.is_enabled, w.disabled_reason, w.dropped_count::float8 AS dropped_count,
  w.pending_count, w.pending_bytes::float8 AS pending_bytes, api_timestamp(w.disabled_at) AS disabled_at,
  api_timestamp(w.failing_since) AS failing_since, api_timestamp(w.last_success_at) AS last_success_at,
  api_timestamp(w.last_dropped_at) AS last_dropped_at, api_timestamp(w.previous_secret_until) AS previous_secret_until,
  api_timestamp(w.created_at) AS created_at, api_timestamp(w.updated_at) AS updated_at
FROM webhook_endpoints w
WHERE w.org_id = $1::int
AND w.id = $2::int
AND w.deleted_at IS NULL;

-- name: insertEndpoint
INSERT INTO webhook_endpoints (org_id, name, url, event_types, secret, created_at, updated_at)
SELECT $1::int, $2, $3, $4::text[], $5, date_trunc('milliseconds', clock_timestamp()), date_trunc('milliseconds',
  clock_timestamp())
WHERE (SELECT count(*) FROM webhook_endpoints WHERE org_id = $6::int AND deleted_at IS NULL) < $7::int
RETURNING id;

-- name: changeEndpoint
UPDATE webhook_endpoints
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $1::int
AND id = $2::int;

-- name: changeEndpoint
UPDATE webhook_endpoints
SET updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond'),
  event_types = $1::text[]
WHERE org_id = $2::int
AND id = $3::int;

-- name: changeEndpoint
-- further: 65e49b2579 b60c3c6bcb ef995f4a4b

-- name: disableEndpoint
UPDATE webhook_endpoints
SET is_enabled = false, disabled_at = date_trunc('milliseconds', clock_timestamp()), disabled_reason = $1,
  updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $2::int
AND id = $3::int
AND is_enabled;

-- name: giveUpPending
UPDATE webhook_deliveries
SET status = 'failed', finished_at = date_trunc('milliseconds', clock_timestamp()), claimed_until = NULL,
  last_error = 'The endpoint was disabled'
WHERE endpoint_id = $1::int
AND status = 'pending';

-- name: retireEndpoint
UPDATE webhook_endpoints
SET deleted_at = date_trunc('milliseconds', clock_timestamp()), is_enabled = false,
  updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), updated_at + interval '1 millisecond'),
  former_rule_ids = ARRAY(
  SELECT r.id
  FROM alert_rules r
  WHERE r.org_id = $1::int
  AND $2::int = ANY(r.endpoint_ids)
  ORDER BY r.id
)
WHERE org_id = $3::int
AND id = $4::int;

-- name: retireEndpoint
UPDATE alert_rules
SET endpoint_ids = array_remove(endpoint_ids, $1::int)
WHERE org_id = $2::int
AND $3::int = ANY(endpoint_ids);

-- name: retireEndpoint
-- further: 69452d2cd1

-- name: restoreEndpointRow
SELECT w.former_rule_ids,
  (SELECT count(*)::int FROM webhook_endpoints o WHERE o.org_id = $1::int AND o.deleted_at IS NULL) AS live
FROM webhook_endpoints w
WHERE w.org_id = $2::int
AND w.id = $3::int
AND w.deleted_at > clock_timestamp() - interval '30 days'
FOR NO KEY UPDATE OF w;

-- name: restoreEndpointRow
UPDATE webhook_endpoints
SET deleted_at = NULL, is_enabled = disabled_at IS NULL, former_rule_ids = '{}', updated_at = greatest(date_trunc('milliseconds',
  clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $1::int
AND id = $2::int;

-- name: restoreEndpointRow
-- further: 14749087a3

-- name: removeDeletedEndpoints
DELETE FROM webhook_endpoints w
WHERE w.deleted_at <= clock_timestamp() - interval '30 days';

-- name: rotateSecretOf
UPDATE webhook_endpoints
SET previous_secret = secret, secret = $1, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  updated_at + interval '1 millisecond'), previous_secret_until = date_trunc('milliseconds',
  clock_timestamp()) + make_interval(hours => $2::int)
WHERE org_id = $3::int
AND id = $4::int;
