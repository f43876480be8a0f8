-- name: membersOf
SELECT m.user_id, u.name, CASE WHEN $1 THEN u.email END AS email, u.email_proven_at IS NOT NULL AS is_proven
FROM memberships m
JOIN users u ON u.id = m.user_id
WHERE m.org_id = $2::int
ORDER BY u.name COLLATE natural_order, m.user_id
LIMIT $3::int;
