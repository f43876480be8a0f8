-- name: listMembers
SELECT m.user_id, u.name, u.email, m.role, round(date_part('epoch', m.created_at) * 1000) AS created_at,
  EXISTS (SELECT FROM sign_on_identities i WHERE i.user_id = m.user_id) AS has_sign_on
FROM memberships m
JOIN users u ON u.id = m.user_id
WHERE m.org_id = $1::int
ORDER BY u.name COLLATE natural_order, m.user_id
LIMIT $2::int
OFFSET $3::int;

-- name: setRole
UPDATE memberships
SET role = $1
WHERE org_id = $2::int
AND user_id = $3::int;

-- name: removeMember
DELETE FROM memberships
WHERE org_id = $1::int
AND user_id = $2::int;

-- name: removeMember
INSERT INTO former_members (org_id, user_id)
VALUES ($1::int, $2::int) ON CONFLICT (org_id, user_id) DO UPDATE
SET removed_at = EXCLUDED.removed_at;

-- name: removeMember
-- further: 5b218c85b2
