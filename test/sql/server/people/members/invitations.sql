-- name: listInvitations
SELECT i.id, i.role, i.email, (SELECT u.name FROM users u WHERE u.id = i.invited_by) AS invited_by_name, round(date_part('epoch',
  i.created_at) * 1000) AS created_at, round(date_part('epoch', i.expires_at) * 1000) AS expires_at
FROM invitations i
WHERE i.org_id = $1::int
AND i.accepted_at IS NULL
AND i.revoked_at IS NULL
AND i.expires_at > clock_timestamp()
ORDER BY i.created_at DESC, i.id DESC
LIMIT $2::int
OFFSET $3::int;
