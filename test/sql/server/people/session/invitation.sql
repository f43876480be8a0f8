-- name: addMember
INSERT INTO memberships (org_id, user_id, role, created_at)
VALUES ($1::int, $2::int, $3, date_trunc('milliseconds', clock_timestamp())) ON CONFLICT (org_id, user_id) DO NOTHING;

-- name: addMember
DELETE FROM former_members
WHERE org_id = $1::int
AND user_id = $2::int;
