-- name: setRole
UPDATE memberships
SET role = $1
WHERE org_id = $2::int
AND user_id = $3::int;
