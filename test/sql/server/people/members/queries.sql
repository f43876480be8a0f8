-- name: findMembers
SELECT m.user_id, u.name, u.email, m.role, api_timestamp(m.created_at) AS created_at,
  EXISTS (SELECT FROM sign_on_identities i WHERE i.user_id = m.user_id) AS has_sign_on
FROM memberships m
JOIN users u ON u.id = m.user_id
WHERE m.org_id = $1::int
ORDER BY u.name COLLATE natural_order, m.user_id
LIMIT $2::int
OFFSET $3::int;

-- name: lockMembers
SELECT id
FROM organizations
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: lockMembers
SELECT m.user_id, u.name, u.email, m.role
FROM memberships m
JOIN users u ON u.id = m.user_id
WHERE m.org_id = $1::int
AND m.user_id IN ($2::int, $3::int);

-- name: requireAdministrators
SELECT 1 AS found
FROM memberships
WHERE org_id = $1::int
AND role = 'admin'
LIMIT 1;
