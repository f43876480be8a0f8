-- name: findEarlierMemberships
SELECT json_build_object('id', o.id, 'name', o.name) AS organization, m.role, api_timestamp(m.created_at) AS joined_at, EXISTS (
  SELECT
  FROM activity_log l
  WHERE l.org_id = o.id
  AND l.kind = 'organization'
  AND l.object_id = o.id::text
  AND l.action = 'created'
  AND l.actor = 'user:' || m.user_id
) AS is_creator, (SELECT count(*)::int - 1 FROM memberships c WHERE c.org_id = o.id) AS other_member_count, (
  SELECT coalesce(json_agg(json_build_object('name', a.name, 'email', a.email)), '[]')
  FROM (
    SELECT u.name, u.email
    FROM memberships c
    JOIN users u ON u.id = c.user_id
    WHERE c.org_id = o.id
    AND c.role = 'admin'
    AND c.user_id <> m.user_id
    ORDER BY u.name COLLATE natural_order, u.id
    LIMIT $1::int
  ) a
) AS other_administrators
FROM memberships m
JOIN organizations o ON o.id = m.org_id
WHERE m.user_id = $2::int
AND m.precedes_proof
ORDER BY o.name COLLATE natural_order, o.id;

-- name: chooseMemberships
SELECT id
FROM users
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: chooseMemberships
DELETE FROM users
WHERE id = $1::int;

-- name: lockEarlierMembership
SELECT id
FROM organizations
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: lockEarlierMembership
SELECT role
FROM memberships
WHERE org_id = $1::int
AND user_id = $2::int
AND precedes_proof;

-- name: keepMembership
UPDATE memberships
SET precedes_proof = false
WHERE org_id = $1::int
AND user_id = $2::int;

-- name: leaveOrganization
SELECT 1 AS found
FROM memberships
WHERE org_id = $1::int
LIMIT 1;
