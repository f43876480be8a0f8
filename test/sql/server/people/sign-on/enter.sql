-- name: joinByDomain
SELECT
FROM former_members
WHERE org_id = $1::int
AND user_id = $2::int;
