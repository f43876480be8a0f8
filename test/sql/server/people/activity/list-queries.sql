-- name: findEntries
SELECT e.id::text AS id, round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at, e.kind, e.object_id, e.object_name,
  e.action, e.entry_point, e.actor, e.before, e.after, CASE split_part(e.actor, ':', 1)
  WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int)
  WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = $1 AND k.id = split_part(e.actor, ':',
  2)::uuid) END AS actor_name, e.batch
FROM (
  SELECT l.*, CASE WHEN b.id IS NOT NULL THEN json_build_object('id', b.id, 'kind', b.kind, 'object_kind', b.object_kind, 'fields',
    b.fields, 'count', b.count, 'is_undoable', (b.undone_at IS NULL AND b.created_at > clock_timestamp() - interval '30 days'),
    'is_undone', b.undone_at IS NOT NULL) END AS batch
  FROM (SELECT * FROM activity_log WHERE org_id = $2 ORDER BY occurred_at DESC, id DESC LIMIT $3) l
  LEFT JOIN change_batches b ON b.org_id = l.org_id
  AND b.id = l.batch_id
  WHERE (l.kind = ANY($4::text[]) OR b.object_kind = ANY($5::text[]))
  AND (b.id IS NULL OR b.entry_id = l.id)
  ORDER BY l.occurred_at DESC, l.id DESC
  LIMIT $6
) e
ORDER BY e.occurred_at DESC, e.id DESC;

-- name: findEntries
SELECT e.id::text AS id, round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at, e.kind, e.object_id, e.object_name,
  e.action, e.entry_point, e.actor, e.before, e.after, CASE split_part(e.actor, ':', 1)
  WHEN 'user' THEN (SELECT u.name FROM users u WHERE u.id = split_part(e.actor, ':', 2)::int)
  WHEN 'key' THEN (SELECT k.name FROM api_keys k WHERE k.org_id = $1 AND k.id = split_part(e.actor, ':',
  2)::uuid) END AS actor_name, e.batch
FROM (
  SELECT l.*, NULL::json AS batch
  FROM (
    SELECT *
    FROM activity_log
    WHERE org_id = $2
    AND (occurred_at, id) < (to_timestamp($3::float8 / 1000), $4::bigint)
    ORDER BY occurred_at DESC, id DESC
    LIMIT $5
  ) l
  WHERE l.kind = ANY($6::text[])
  ORDER BY l.occurred_at DESC, l.id DESC
  LIMIT $7
) e
ORDER BY e.occurred_at DESC, e.id DESC;

-- name: findEntries
-- further: 00c80846ee 2ba17804c8 650ce393f7 7df67e6a24 cbcc016678 e0dcc669dc

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
