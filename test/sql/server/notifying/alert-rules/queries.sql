-- name: findRules
SELECT r.id, r.org_id, r.name, r.event_type, r.is_enabled, r.condition, r.limit_seconds, r.schedule, r.quiet_seconds, r.notify_app,
  r.email_user_ids, r.email_mode, r.endpoint_ids, round(date_part('epoch', r.created_at) * 1000) AS created_at,
  round(date_part('epoch', r.updated_at) * 1000) AS updated_at
FROM alert_rules r
WHERE r.org_id = $1::int
AND r.deleted_at IS NULL
ORDER BY r.name COLLATE natural_order, r.id;

-- name: findRule
SELECT r.id, r.org_id, r.name, r.event_type, r.is_enabled, r.condition, r.limit_seconds, r.schedule, r.quiet_seconds, r.notify_app,
  r.email_user_ids, r.email_mode, r.endpoint_ids, round(date_part('epoch', r.created_at) * 1000) AS created_at,
  round(date_part('epoch', r.updated_at) * 1000) AS updated_at
FROM alert_rules r
WHERE r.org_id = $1::int
AND r.id = $2::int
AND r.deleted_at IS NULL;

-- name: findRulesFor
SELECT r.id, r.org_id, r.name, r.event_type, r.is_enabled, r.condition, r.limit_seconds, r.schedule, r.quiet_seconds, r.notify_app,
  r.email_user_ids, r.email_mode, r.endpoint_ids, round(date_part('epoch', r.created_at) * 1000) AS created_at,
  round(date_part('epoch', r.updated_at) * 1000) AS updated_at
FROM alert_rules r
WHERE r.org_id = ANY($1::int[])
AND r.event_type = ANY($2::text[])
AND r.is_enabled
ORDER BY r.id;

-- name: insertRule
INSERT INTO alert_rules (org_id, name, event_type, is_enabled, condition, limit_seconds, schedule, quiet_seconds, notify_app,
  email_user_ids, email_mode, endpoint_ids, created_at, updated_at)
SELECT $1::int, $2, $3, $4, $5::json, $6::int, $7::json, $8::int, $9, $10::int[], $11, $12::int[], date_trunc('milliseconds',
  clock_timestamp()), date_trunc('milliseconds', clock_timestamp())
WHERE (SELECT count(*) FROM alert_rules WHERE org_id = $13::int AND deleted_at IS NULL) < $14::int
RETURNING id;

-- name: replaceRule
UPDATE alert_rules
SET name = $1, event_type = $2, is_enabled = $3, condition = $4::json, limit_seconds = $5::int, schedule = $6::json,
  quiet_seconds = $7::int, notify_app = $8, email_user_ids = $9::int[], email_mode = $10, endpoint_ids = $11::int[],
  checked_until = NULL, rechecked_until = NULL, updated_at = greatest(date_trunc('milliseconds', clock_timestamp()),
  updated_at + interval '1 millisecond')
WHERE org_id = $12::int
AND id = $13::int;

-- name: setRuleEnabled
UPDATE alert_rules
SET is_enabled = $1, checked_until = NULL, rechecked_until = NULL, updated_at = greatest(date_trunc('milliseconds',
  clock_timestamp()), updated_at + interval '1 millisecond')
WHERE org_id = $2::int
AND id = $3::int;

-- name: retireRule
UPDATE alert_rules
SET deleted_at = date_trunc('milliseconds', clock_timestamp()), was_enabled = is_enabled, is_enabled = false
WHERE org_id = $1::int
AND id = $2::int;

-- name: retireRule
DELETE FROM alert_rules
WHERE id IN (
  SELECT r.id
  FROM alert_rules r
  WHERE r.org_id = $1::int
  AND r.deleted_at IS NOT NULL
  ORDER BY r.deleted_at DESC, r.id DESC
  OFFSET $2::int
);

-- name: restoreRuleRow
UPDATE alert_rules r
SET deleted_at = NULL, was_enabled = NULL, is_enabled = r.was_enabled, checked_until = NULL, rechecked_until = NULL,
  updated_at = greatest(date_trunc('milliseconds', clock_timestamp()), r.updated_at + interval '1 millisecond')
WHERE r.org_id = $1::int
AND r.id = $2::int
AND r.deleted_at > clock_timestamp() - interval '30 days';

-- name: removeDeletedRules
DELETE FROM alert_rules r
WHERE r.deleted_at <= clock_timestamp() - interval '30 days';

-- name: endConditionsOf
UPDATE alerts
SET ended_at = date_trunc('milliseconds', clock_timestamp())
WHERE org_id = $1::int
AND rule_id = $2::int
AND is_condition
AND ended_at IS NULL;

-- name: endConditionsOf
DELETE FROM telemetry_breaches
WHERE org_id = $1::int
AND rule_id = $2::int;

-- name: missingReferences
SELECT 'ids' AS field, g.id
FROM unnest($1::int[]) AS g (id)
WHERE NOT EXISTS (SELECT FROM assets a WHERE a.org_id = $2::int AND a.id = g.id AND a.deleted_at IS NULL)
UNION ALL SELECT 'ids', g.id
FROM unnest($3::int[]) AS g (id)
WHERE NOT EXISTS (SELECT FROM locations l WHERE l.org_id = $4::int AND l.id = g.id AND l.deleted_at IS NULL)
UNION ALL SELECT 'kind_ids', g.id
FROM unnest($5::int[]) AS g (id)
WHERE NOT EXISTS (SELECT FROM asset_kinds k WHERE k.org_id = $6::int AND k.id = g.id)
UNION ALL SELECT 'email_user_ids', g.id
FROM unnest($7::int[]) AS g (id)
WHERE NOT EXISTS (SELECT FROM memberships m WHERE m.org_id = $8::int AND m.user_id = g.id)
UNION ALL SELECT 'endpoint_ids', g.id
FROM unnest($9::int[]) AS g (id)
WHERE NOT EXISTS (
  SELECT
  FROM webhook_endpoints w
  WHERE w.org_id = $10::int
  AND w.id = g.id
  AND w.deleted_at IS NULL
);
