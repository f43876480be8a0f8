-- name: renameOrganization
SELECT name
FROM organizations
WHERE id = $1::int
FOR NO KEY UPDATE;

-- name: renameOrganization
UPDATE organizations
SET name = $1
WHERE id = $2::int;
