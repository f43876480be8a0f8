-- name: endMembership
DELETE FROM memberships
WHERE org_id = $1::int
AND user_id = $2::int;

-- name: endMembership
INSERT INTO former_members (org_id, user_id)
VALUES ($1::int, $2::int) ON CONFLICT (org_id, user_id) DO UPDATE
SET removed_at = EXCLUDED.removed_at;

-- name: endMembership
-- further: 5b218c85b2
