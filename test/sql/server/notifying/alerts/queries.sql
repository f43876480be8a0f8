-- name: findAlerts
SELECT a.id::float8 AS id, (
  SELECT r.id
  FROM alert_rules r
  WHERE r.org_id = a.org_id
  AND r.id = a.rule_id
  AND r.deleted_at IS NULL
) AS rule_id, a.rule_name, a.event_type, a.asset_id, a.location_id, a.reader_id, a.data, a.is_condition,
  api_timestamp(a.opened_at) AS opened_at, api_timestamp(a.ended_at) AS ended_at,
  api_timestamp(a.acknowledged_at) AS acknowledged_at, (SELECT json_build_object('id', u.id, 'name',
  u.name) FROM users u WHERE u.id = a.acknowledged_by) AS acknowledged_by
FROM alerts a
WHERE a.org_id = $1::int
AND a.in_app
AND a.acknowledged_at IS NOT NULL
ORDER BY a.id DESC
LIMIT $2::int;

-- name: findAlerts
SELECT a.id::float8 AS id, (
  SELECT r.id
  FROM alert_rules r
  WHERE r.org_id = a.org_id
  AND r.id = a.rule_id
  AND r.deleted_at IS NULL
) AS rule_id, a.rule_name, a.event_type, a.asset_id, a.location_id, a.reader_id, a.data, a.is_condition,
  api_timestamp(a.opened_at) AS opened_at, api_timestamp(a.ended_at) AS ended_at,
  api_timestamp(a.acknowledged_at) AS acknowledged_at, (SELECT json_build_object('id', u.id, 'name',
  u.name) FROM users u WHERE u.id = a.acknowledged_by) AS acknowledged_by
FROM alerts a
WHERE a.org_id = $1::int
AND a.in_app
AND a.asset_id = $2::int
ORDER BY a.id DESC
LIMIT $3::int;

-- name: findAlerts
-- further: 0a97b7da05 0f56274c76 4b0f898ccb 8512a7d368 f5bca0af96

-- name: findAlert
SELECT a.id::float8 AS id, (
  SELECT r.id
  FROM alert_rules r
  WHERE r.org_id = a.org_id
  AND r.id = a.rule_id
  AND r.deleted_at IS NULL
) AS rule_id, a.rule_name, a.event_type, a.asset_id, a.location_id, a.reader_id, a.data, a.is_condition,
  api_timestamp(a.opened_at) AS opened_at, api_timestamp(a.ended_at) AS ended_at,
  api_timestamp(a.acknowledged_at) AS acknowledged_at, (SELECT json_build_object('id', u.id, 'name',
  u.name) FROM users u WHERE u.id = a.acknowledged_by) AS acknowledged_by
FROM alerts a
WHERE a.org_id = $1::int
AND a.id = $2::int8
AND a.in_app;

-- name: findAlertDeliveries
SELECT d.id::float8 AS id, d.endpoint_id, w.name AS endpoint_name, d.status, d.attempts
FROM alerts a
JOIN webhook_endpoints w ON w.org_id = a.org_id
AND w.deleted_at IS NULL
JOIN webhook_deliveries d ON d.endpoint_id = w.id
AND d.event_key = a.event_key
WHERE a.org_id = $1::int
AND a.id = $2::int8
ORDER BY w.name COLLATE natural_order, w.id;

-- name: findAlertRules
SELECT r.id, r.name
FROM alert_rules r
WHERE r.org_id = $1::int
AND r.notify_app
AND r.deleted_at IS NULL
ORDER BY r.name COLLATE natural_order, r.id;

-- name: readOpenCount
SELECT count(*)::int AS n
FROM (
  SELECT
  FROM alerts a
  WHERE a.org_id = $1::int
  AND a.in_app
  AND a.ended_at IS NULL
  AND a.acknowledged_at IS NULL
  LIMIT $2::int
) open;

-- name: acknowledgeAlerts
UPDATE alerts
SET acknowledged_at = date_trunc('milliseconds', clock_timestamp()), acknowledged_by = $1::int
WHERE org_id = $2::int
AND id = ANY($3::int8[])
AND in_app
AND acknowledged_at IS NULL;

-- name: removeOldAlerts
DELETE FROM alerts
WHERE id IN (
  SELECT old.id
  FROM (SELECT DISTINCT r.org_id FROM alert_rules r) o
  CROSS JOIN LATERAL (
    SELECT a.id
    FROM alerts a
    WHERE a.org_id = o.org_id
    AND a.in_app
    ORDER BY a.id DESC
    LIMIT $1::int
    OFFSET $2::int
  ) old
  LIMIT $3::int
);
