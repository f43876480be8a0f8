-- name: recordScanEvents
WITH
move AS (
  SELECT
    *
  FROM
    (
      SELECT
        unnest($1::int[]) AS org_id,
        unnest($2::int[]) AS asset_id,
        unnest($3::float8[]) AS at,
        unnest($4::int[]) AS reader_id,
        unnest($5::int[]) AS antenna,
        unnest($6::int[]) AS user_id,
        unnest($7::int[]) AS from_id,
        unnest($8::int[]) AS to_id,
        unnest($9::float8[]) AS held_until,
        unnest($10::float8[]) AS replaces
    ) AS m
),
replaced AS (
  DELETE FROM outbox_events o USING
  move m
  WHERE
    o.org_id = m.org_id
    AND o.asset_id = m.asset_id
    AND o.type = 'asset.location_changed'
    AND o.occurred_at = to_timestamp(m.replaces / 1000)
  RETURNING
    o.org_id,
    o.asset_id,
    (o.data ->> 'from_id')::int AS from_id
),
moved AS (
  INSERT INTO
    outbox_events (org_id, type, occurred_at, asset_id, reader_id, data, ready_at)
  SELECT
    m.org_id,
    'asset.location_changed',
    to_timestamp(m.at / 1000),
    m.asset_id,
    m.reader_id,
    json_build_object('from_id', coalesce(r.from_id, m.from_id), 'to_id', m.to_id, 'antenna', m.antenna, 'user_id', m.user_id),
    coalesce(to_timestamp(m.held_until / 1000), now())
  FROM
  move m
  LEFT JOIN replaced r ON r.org_id = m.org_id
  AND r.asset_id = m.asset_id
  AND m.replaces IS NOT NULL
  WHERE
    coalesce(r.from_id, m.from_id) IS DISTINCT FROM m.to_id
  RETURNING
    ready_at
),
found AS (
  INSERT INTO
    outbox_events (org_id, key, type, occurred_at, reader_id, data)
  SELECT
    c.org_id,
    md5(concat_ws(' ', c.org_id, c.type, c.value, current_date))::uuid,
    'tag.unknown',
    to_timestamp(c.at / 1000),
    c.reader_id,
    json_build_object('tag_type', nullif(c.type, ''), 'value', c.value, 'antenna', c.antenna)
  FROM
    (
      SELECT
        unnest($11::int[]) AS org_id,
        unnest($12::text[]) AS type,
        unnest($13::text[]) AS value,
        unnest($14::float8[]) AS at,
        unnest($15::int[]) AS reader_id,
        unnest($16::int[]) AS antenna
    ) AS c
  WHERE
    NOT EXISTS (
      SELECT
      FROM
        unknown_tags u
      WHERE
        u.tag_type = c.type
        AND u.org_id = c.org_id
        AND u.value = c.value
        AND u.last_seen > now() - interval '30 days'
    )
    AND NOT EXISTS (
      SELECT
      FROM
        unknown_tags u
      WHERE
        c.type = ''
        AND u.tag_type IS NULL
        AND u.org_id = c.org_id
        AND u.value = c.value
        AND u.last_seen > now() - interval '30 days'
    )
  RETURNING
    1
)
SELECT
  (graphile_worker.add_job ('route_events', run_at => w.at)).id::float8
FROM
  (
    SELECT
      greatest(max(ready_at), now()) AS at
    FROM
      moved
    GROUP BY
      ready_at > now()
    UNION
    SELECT
      now()
    FROM
      found
  ) w;
-- plan:
--   Subquery Scan
--     CTE move: ProjectSet
--       Result
--     CTE replaced: ModifyTable outbox_events
--       Nested Loop
--         CTE Scan move
--         Index Scan outbox_events by outbox_events_org
--     CTE moved: ModifyTable outbox_events
--       Hash Join
--         CTE Scan move
--         Hash
--           CTE Scan replaced
--     CTE found: ModifyTable outbox_events
--       Nested Loop
--         Nested Loop
--           ProjectSet
--             Result
--           Index Scan unknown_tags by unknown_tags_place_key
--         Index Scan unknown_tags by unknown_tags_place_key
--     Aggregate
--       Append
--         Subquery Scan
--           Aggregate
--             CTE Scan moved
--         CTE Scan found
