-- name: takeTurns
WITH RECURSIVE waiting AS ((SELECT e.org_id, 1 AS n FROM outbox_events e ORDER BY e.org_id LIMIT 1) UNION ALL SELECT next.org_id,
  w.n + 1 FROM waiting w CROSS JOIN LATERAL (SELECT e.org_id FROM outbox_events e WHERE e.org_id > w.org_id ORDER BY e.org_id LIMIT 1) next WHERE w.n < 1000)
SELECT t.org_id, pg_try_advisory_xact_lock($1::int, t.org_id) AS is_locked
FROM (SELECT w.org_id FROM waiting w ORDER BY random() LIMIT $2::int) t;

-- name: readOutbox
SELECT e.id::float8 AS id, e.org_id, e.key, e.type, round(date_part('epoch', e.occurred_at) * 1000) AS occurred_at, e.asset_id,
  e.location_id, e.reader_id, e.data
FROM unnest($1::int[]) AS o (org_id)
CROSS JOIN LATERAL (SELECT * FROM outbox_events q WHERE q.org_id = o.org_id ORDER BY q.id LIMIT $2::int) e
ORDER BY e.id;

-- name: removeFromOutbox
DELETE FROM outbox_events
WHERE id = ANY($1::int8[]);
