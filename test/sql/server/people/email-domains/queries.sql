-- name: findDomains
SELECT d.domain, d.role, d.token, api_timestamp(d.created_at) AS created_at, api_timestamp(d.verified_at) AS verified_at
FROM email_domains d
WHERE d.org_id = $1::int
ORDER BY d.domain;

-- name: findDomain
SELECT d.domain, d.role, d.token, api_timestamp(d.created_at) AS created_at, api_timestamp(d.verified_at) AS verified_at
FROM email_domains d
WHERE d.org_id = $1::int
AND d.domain = $2;

-- name: insertDomain
INSERT INTO email_domains AS d (org_id, domain, role, token, created_at)
VALUES ($1::int, $2, $3, $4, date_trunc('milliseconds', clock_timestamp())) ON CONFLICT (org_id, domain) DO NOTHING
RETURNING d.domain, d.role, d.token, api_timestamp(d.created_at) AS created_at, api_timestamp(d.verified_at) AS verified_at;

-- name: updateDomainRole
UPDATE email_domains d
SET role = $1
WHERE d.org_id = $2::int
AND d.domain = $3
RETURNING d.domain, d.role, d.token, api_timestamp(d.created_at) AS created_at, api_timestamp(d.verified_at) AS verified_at;

-- name: deleteDomain
DELETE FROM email_domains
WHERE org_id = $1::int
AND domain = $2;

-- name: verifyDomain
UPDATE email_domains d
SET verified_at = coalesce(d.verified_at, date_trunc('milliseconds', clock_timestamp()))
WHERE d.org_id = $1::int
AND d.domain = $2
RETURNING d.domain, d.role, d.token, api_timestamp(d.created_at) AS created_at, api_timestamp(d.verified_at) AS verified_at;

-- name: findVerifiedDomain
SELECT d.domain, d.role, o.id AS org_id, o.name AS org_name
FROM email_domains d
JOIN organizations o ON o.id = d.org_id
WHERE d.domain = $1
AND d.verified_at IS NOT NULL;

-- name: hasRoomForMember
SELECT id
FROM organizations
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: hasRoomForMember
SELECT count(*)::int AS n
FROM memberships
WHERE org_id = $1::int;
