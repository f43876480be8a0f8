-- name: endpointMailJobs
SELECT user_id
FROM memberships
WHERE org_id = $1
AND role = 'admin'
LIMIT 100;
