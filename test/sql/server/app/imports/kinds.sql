-- name: matchKinds
UPDATE staged s
SET kind_id = k.id
FROM asset_kinds k
WHERE k.org_id = $1
AND s.kind IS NOT NULL
AND fold_case(k.name) = fold_case(s.kind);

-- name: newKinds
SELECT (array_agg(s.kind ORDER BY s.line))[1] AS name, min(s.line) AS line, count(*)::int AS count
FROM staged s
WHERE s.is_valid
AND s.kind IS NOT NULL
AND s.kind_id IS NULL
GROUP BY fold_case(s.kind)
ORDER BY 2;

-- name: createKinds
SELECT pg_advisory_xact_lock($1::int, $2::int)::text;
