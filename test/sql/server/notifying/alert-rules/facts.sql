-- name: namesOf
SELECT 'asset' AS kind, a.id, a.name || ' (' || a.external_key || ')' AS name
FROM assets a
WHERE a.org_id = $1::int
AND a.id = ANY($2::int[])
UNION ALL SELECT 'location', l.id, l.name || ' (' || l.external_key || ')'
FROM locations l
WHERE l.org_id = $3::int
AND l.id = ANY($4::int[])
UNION ALL SELECT 'member', u.id, u.name
FROM memberships m
JOIN users u ON u.id = m.user_id
WHERE m.org_id = $5::int
AND m.user_id = ANY($6::int[])
UNION ALL SELECT 'endpoint', w.id, w.name
FROM webhook_endpoints w
WHERE w.org_id = $7::int
AND w.id = ANY($8::int[]);
