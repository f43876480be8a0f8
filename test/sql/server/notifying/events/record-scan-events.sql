-- name: recordScanEvents
WITH moved AS (
  INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, reader_id, data)
  SELECT m.org_id, 'asset.location_changed', to_timestamp(m.at / 1000), m.asset_id, m.reader_id, json_build_object('from_id',
    m.from_id, 'to_id', m.to_id, 'antenna', m.antenna, 'user_id', m.user_id)
  FROM (
    SELECT unnest($1::int[]) AS org_id, unnest($2::int[]) AS asset_id, unnest($3::float8[]) AS at, unnest($4::int[]) AS reader_id,
      unnest($5::int[]) AS antenna, unnest($6::int[]) AS user_id, unnest($7::int[]) AS from_id, unnest($8::int[]) AS to_id
  ) AS m
  RETURNING 1
),
found AS (
  INSERT INTO outbox_events (org_id, key, type, occurred_at, reader_id, data)
  SELECT c.org_id, md5(concat_ws(' ', c.org_id, c.type, c.value, current_date))::uuid, 'tag.unknown', to_timestamp(c.at / 1000),
    c.reader_id, json_build_object('tag_type', nullif(c.type, ''), 'value', c.value, 'antenna', c.antenna)
  FROM (
    SELECT unnest($9::int[]) AS org_id, unnest($10::text[]) AS type, unnest($11::text[]) AS value, unnest($12::float8[]) AS at,
      unnest($13::int[]) AS reader_id, unnest($14::int[]) AS antenna
  ) AS c
  WHERE NOT EXISTS (
    SELECT
    FROM unknown_tags u
    WHERE u.tag_type = c.type
    AND u.org_id = c.org_id
    AND u.value = c.value
    AND u.last_seen > now() - interval '30 days'
  )
  AND NOT EXISTS (
    SELECT
    FROM unknown_tags u
    WHERE c.type = ''
    AND u.tag_type IS NULL
    AND u.org_id = c.org_id
    AND u.value = c.value
    AND u.last_seen > now() - interval '30 days'
  )
  RETURNING 1
)
SELECT (graphile_worker.add_job('route_events')).id::float8
WHERE EXISTS (SELECT FROM moved) OR EXISTS (SELECT FROM found);
