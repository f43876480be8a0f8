-- name: findOrganizationName
SELECT name
FROM organizations
WHERE id = $1::int;
