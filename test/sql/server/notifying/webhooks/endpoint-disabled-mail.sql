-- name: endpointMailJobs
SELECT user_id
FROM memberships
WHERE org_id = $1
AND role = 'admin'
LIMIT 100;

-- name: findDisabled
SELECT w.name, w.disabled_reason, o.name AS org_name
FROM webhook_endpoints w
JOIN organizations o ON o.id = w.org_id
JOIN memberships m ON m.org_id = w.org_id
AND m.user_id = $1::int
WHERE w.org_id = $2::int
AND w.id = $3::int
AND NOT w.is_enabled
AND m.role = 'admin'
AND NOT m.precedes_proof;
