-- name: me
SELECT o.id, o.name, m.role
FROM memberships m
JOIN organizations o ON o.id = m.org_id
WHERE m.user_id = $1::int
ORDER BY o.name COLLATE natural_order, o.id;
