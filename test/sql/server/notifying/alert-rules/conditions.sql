-- name: createConditionsTask
SELECT r.id, r.org_id
FROM alert_rules r
WHERE r.is_enabled
AND r.limit_seconds IS NOT NULL
AND r.event_type = ANY($1::text[])
AND r.id > $2::int
ORDER BY r.id
LIMIT $3::int;
