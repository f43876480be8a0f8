-- name: findMembers
SELECT
  m.user_id,
  u.name,
  u.email,
  m.role,
  round(date_part('epoch', m.created_at) * 1000) AS created_at,
  EXISTS (
    SELECT
    FROM
      sign_on_identities i
    WHERE
      i.user_id = m.user_id
  ) AS has_sign_on
FROM
  memberships m
  JOIN users u ON u.id = m.user_id
WHERE
  m.org_id = $1::int
ORDER BY
  u.name COLLATE natural_order,
  m.user_id
LIMIT
  $2::int
OFFSET
  $3::int;
-- plan:
--   Limit
--     Result
--       Sort
--         Nested Loop
--           Bitmap Heap Scan memberships
--             Bitmap Index Scan by memberships_pkey
--           Index Scan users by users_pkey
--       SubPlan 1: Index Only Scan sign_on_identities by sign_on_identities_user

-- name: lockMembers
SELECT
  id
FROM
  organizations
WHERE
  id = $1::int
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Index Scan organizations by organizations_pkey

-- name: lockMembers
SELECT
  m.user_id,
  u.name,
  u.email,
  m.role
FROM
  memberships m
  JOIN users u ON u.id = m.user_id
WHERE
  m.org_id = $1::int
  AND m.user_id IN ($2::int, $3::int);
-- plan:
--   Nested Loop
--     Index Scan memberships by memberships_pkey
--     Index Scan users by users_pkey

-- name: requireAdministrators
SELECT
  1 AS found
FROM
  memberships
WHERE
  org_id = $1::int
  AND role = 'admin'
LIMIT
  1;
-- plan:
--   Limit
--     Bitmap Heap Scan memberships
--       Bitmap Index Scan by memberships_pkey
