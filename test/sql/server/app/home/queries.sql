-- name: findNotices
WITH live AS MATERIALIZED (
  SELECT r.id, r.name, r.location_id, r.last_message_at, CASE
    WHEN r.last_message_at > statement_timestamp() - interval '2 minutes' THEN CASE WHEN m.reads > 0 THEN 'receiving'
    WHEN m.rejected > 0 THEN 'rejecting' ELSE 'connected' END WHEN r.last_refused_at > coalesce(greatest(r.last_message_at,
    r.last_connected_at + interval '45 seconds'), '-infinity') THEN 'refused' WHEN r.last_message_at IS NULL
  AND r.last_connected_at > statement_timestamp() - interval '65 seconds' THEN 'connected' WHEN r.last_message_at IS NULL
  AND r.last_connected_at IS NULL THEN 'never' ELSE 'silent' END AS status, coalesce(m.reads, 0) AS recent_reads
  FROM readers r
  LEFT JOIN LATERAL (
    SELECT sum(c.reads)::float8 AS reads, sum(c.rejected)::float8 AS rejected
    FROM reader_minutes c
    WHERE c.org_id = r.org_id
    AND c.reader_id = r.id
    AND c.minute >= date_trunc('minute', statement_timestamp()) - interval '4 minutes'
  ) m ON true
  WHERE r.org_id = $1
  AND r.deleted_at IS NULL
)
SELECT (
  SELECT coalesce(json_object_agg(g.status, g.n), '{}')
  FROM (SELECT status, count(*)::int AS n FROM live GROUP BY status) g
) AS readers, (
  SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'last_message_at',
    api_timestamp(s.last_message_at)) ORDER BY s.last_message_at NULLS FIRST, s.name, s.id), '[]')
  FROM (
    SELECT *
    FROM live
    WHERE status = 'silent'
    ORDER BY last_message_at NULLS FIRST, name, id
    LIMIT $2
  ) s
) AS most_silent, (
  SELECT count(*)
  FROM (SELECT 1 FROM unknown_tags u WHERE u.org_id = $3 GROUP BY u.tag_type, u.value LIMIT $4) known
)::int AS unknown_tags, (
  SELECT json_build_object('value', u.value, 'tag_type', u.tag_type, 'last_seen', api_timestamp(u.last_seen))
  FROM unknown_tags u
  WHERE u.org_id = $5
  ORDER BY u.last_seen DESC, u.id
  LIMIT 1
) AS newest_unknown, (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM rejected_messages m
    WHERE m.org_id = $6
    AND m.received_at >= statement_timestamp() - interval '24 hours'
    LIMIT $7
  ) latest
)::int AS rejected_messages, (
  SELECT count(*)
  FROM (
    SELECT 1
    FROM (
      SELECT DISTINCT q.asset_id AS id
      FROM asset_problems q
      WHERE q.org_id = $8
      AND q.resolved_at IS NULL
    ) q
    WHERE EXISTS (SELECT FROM assets a WHERE a.org_id = $9 AND a.id = q.id AND a.deleted_at IS NULL)
    LIMIT $10
  ) reported
)::int AS problem_assets;

-- name: readsByInterval
SELECT api_timestamp(s.starts_at) AS at, coalesce(c.reads, 0)::float8 AS reads
FROM (
  SELECT date_bin(make_interval(mins => $1::int), statement_timestamp(),
    'epoch'::timestamptz) - n * make_interval(mins => $2::int) AS starts_at
  FROM generate_series(0, $3::int) AS n
) s
LEFT JOIN read_counts c ON c.org_id = $4
AND c.slot = s.starts_at
ORDER BY s.starts_at;

-- name: latestMoves
SELECT p.asset_id
FROM asset_positions p
WHERE p.org_id = $1
AND p.hidden_by IN (0, 2)
ORDER BY p.located_since DESC
LIMIT $2::int;
