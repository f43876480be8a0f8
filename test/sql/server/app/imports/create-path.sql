-- name: findNamed
SELECT l.id
FROM locations l
WHERE l.org_id = $1
AND l.deleted_at IS NULL
AND fold_case(l.name) = fold_case($2::text)
AND ($3 OR l.parent_id IS NOT DISTINCT FROM $4::int)
ORDER BY l.parent_id IS NOT NULL, l.id
LIMIT 2;
