-- name: renameOrganization
SELECT
  name
FROM
  organizations
WHERE
  id = $1::int
FOR NO KEY UPDATE;
-- plan:
--   LockRows
--     Index Scan organizations by organizations_pkey

-- name: renameOrganization
UPDATE organizations
SET
  name = $1
WHERE
  id = $2::int;
-- plan:
--   ModifyTable organizations
--     Index Scan organizations by organizations_pkey
