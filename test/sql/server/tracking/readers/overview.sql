-- name: readerOverview
WITH stated AS MATERIALIZED (
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
  AND fold_case(r.name) LIKE (SELECT fold_case($2))
),
page AS MATERIALIZED (
  SELECT s.*, row_number() OVER () AS ordinal
  FROM (
    SELECT s.*
    FROM stated s
    LEFT JOIN locations l ON l.org_id = $3
    AND l.id = s.location_id
    AND l.deleted_at IS NULL
    WHERE true
    ORDER BY s.name COLLATE natural_order ASC, s.id ASC
    LIMIT $4::int
    OFFSET $5::int
  ) s
)
SELECT counted.*, found.*
FROM (
  SELECT (SELECT count(*)::int FROM stated s WHERE true) AS total_count, (
    SELECT coalesce(json_object_agg(g.status, g.n), '{}')
    FROM (SELECT s.status, count(*)::int AS n FROM stated s GROUP BY s.status) g
  ) AS counts, (extract(epoch FROM statement_timestamp() - date_trunc('minute',
    statement_timestamp())) * 1000)::float8 AS minute_age_ms
) counted
LEFT JOIN LATERAL (
  SELECT p.id, p.name, p.status, p.recent_reads, r.format, CASE WHEN l.id IS NOT NULL THEN json_build_object('id', l.id, 'name',
    l.name) END AS location, round(date_part('epoch', r.last_message_at) * 1000) AS last_message_at, round(date_part('epoch',
    r.last_connected_at) * 1000) AS last_connected_at, round(date_part('epoch', r.last_refused_at) * 1000) AS last_refused_at,
    r.last_refusal_reason, CASE WHEN r.recognized_format <> r.format THEN r.recognized_format END AS recognized_format, (
    SELECT coalesce(json_object_agg(round(extract(epoch FROM date_trunc('minute', statement_timestamp()) - c.minute) / 60),
      json_build_array(c.reads, c.rejected)), '{}')
    FROM reader_minutes c
    WHERE c.org_id = $6
    AND c.reader_id = p.id
    AND c.minute >= date_trunc('minute', statement_timestamp()) - interval '59 minutes'
    AND c.minute <= date_trunc('minute', statement_timestamp())
  ) AS counts_by_age, (
    SELECT coalesce(sum(c.rejected), 0)::float8
    FROM reader_minutes c
    WHERE c.org_id = $7
    AND c.reader_id = p.id
    AND c.rejected > 0
    AND c.minute > statement_timestamp() - interval '1 day'
  ) AS rejected_24h, (
    SELECT coalesce(sum(c.ignored), 0)::float8
    FROM reader_minutes c
    WHERE c.org_id = $8
    AND c.reader_id = p.id
    AND c.ignored > 0
    AND c.minute > statement_timestamp() - interval '1 day'
  ) AS ignored_24h
  FROM page p
  JOIN readers r ON r.org_id = $9
  AND r.id = p.id
  LEFT JOIN locations l ON l.org_id = r.org_id
  AND l.id = r.location_id
  AND l.deleted_at IS NULL
  ORDER BY p.ordinal
) found ON true;

-- name: readerOverview
-- further: 0c8fbf2d06 2e8f7f4b2a 319d761dfa 5722221c74 6e6934d54e 7d1d7e4be6 b880f51ea5
