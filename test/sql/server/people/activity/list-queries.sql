-- name: findEntries
SELECT e.id::text AS id, round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at, e.kind, e.object_id, e.object_name,
  e.action, e.entry_point, e.actor, e.before, e.after, CASE split_part(e.actor, ':', 1) 
  HEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int) 
  HEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = $1 AND k.id = split_part(e.actor, ':',
  2)::uuid) END AS actor_name
FROM (
  SELECT *
  FROM (
    SELECT *
    FROM activity_log
    WHERE org_id = $2
    AND (occurred_at, id) < (to_timestamp($3::float8 / 1000), $4::bigint)
    ORDER BY occurred_at DESC, id DESC
    LIMIT $5
  ) examined
  WHERE kind = ANY($6::text[])
  ORDER BY occurred_at DESC, id DESC
  LIMIT $7
) e
ORDER BY e.occurred_at DESC, e.id DESC;

-- name: findEntries
SELECT e.id::text AS id, round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at, e.kind, e.object_id, e.object_name,
  e.action, e.entry_point, e.actor, e.before, e.after, CASE split_part(e.actor, ':', 1) 
  HEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int) 
  HEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = $1 AND k.id = split_part(e.actor, ':',
  2)::uuid) END AS actor_name
FROM (
  SELECT *
  FROM (
    SELECT *
    FROM activity_log
    WHERE org_id = $2
    AND kind = $3
    AND object_id = $4
    ORDER BY occurred_at DESC, id DESC
    LIMIT $5
  ) examined
  WHERE kind = ANY($6::text[])
  ORDER BY occurred_at DESC, id DESC
  LIMIT $7
) e
ORDER BY e.occurred_at DESC, e.id DESC;

-- name: findEntries
-- further: 1cdd27a0db 3ea48589dd 9cb87abbf1 d72592496e e5c4c81fe8

-- name: lastExamined
SELECT round(date_part('epoch', occurred_at) * 1000) AS occurred_at, id::text AS id
FROM activity_log
WHERE org_id = $1
AND (occurred_at, id) < (to_timestamp($2::float8 / 1000), $3::bigint)
ORDER BY occurred_at DESC, id DESC
OFFSET $4
LIMIT 1;

-- name: lastExamined
SELECT round(date_part('epoch', occurred_at) * 1000) AS occurred_at, id::text AS id
FROM activity_log
WHERE org_id = $1
AND kind = $2
AND object_id = $3
ORDER BY occurred_at DESC, id DESC
OFFSET $4
LIMIT 1;

-- name: lastExamined
-- further: 7849a2184a b34b981963 ff1efb005a

-- name: findEntry
SELECT action, before, after
FROM activity_log
WHERE org_id = $1
AND occurred_at = to_timestamp($2::float8 / 1000)
AND id = $3::bigint
AND kind = $4
AND object_id = $5;
