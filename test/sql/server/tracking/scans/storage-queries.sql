-- name: storeChanges, as in scan-of-a-new-asset
WITH
  event AS (
    INSERT INTO
      scan_events (org_id, asset_id, event_observed_at, location_id, reader_id, antenna, rssi_dbm, received_at)
    SELECT
      e.org_id,
      e.asset_id,
      to_timestamp(e.at / 1000),
      e.location_id,
      e.reader_id,
      e.antenna,
      e.rssi,
      to_timestamp(e.received / 1000)
    FROM
      (
        SELECT
          unnest($1::int[]) AS org_id,
          unnest($2::int[]) AS asset_id,
          unnest($3::float8[]) AS at,
          unnest($4::int[]) AS location_id,
          unnest($5::int[]) AS reader_id,
          unnest($6::int[]) AS antenna,
          unnest($7::real[]) AS rssi,
          unnest($8::float8[]) AS received
      ) AS e
    ON CONFLICT (org_id, asset_id, event_observed_at) DO NOTHING
    RETURNING
      1
  ),
  position AS (
    UPDATE asset_positions p
    SET
      location_id = c.location_id,
      located_since = to_timestamp(c.since / 1000),
      asset_last_seen = to_timestamp(c.last_seen / 1000),
      listed_at = CASE
        WHEN to_timestamp(c.last_seen / 1000) BETWEEN p.listed_at AND p.listed_at + interval '2 seconds' THEN p.listed_at
        ELSE to_timestamp(c.last_seen / 1000)
      END,
      reader_id = c.reader_id,
      antenna = c.antenna,
      last_event_at = to_timestamp(c.last_event / 1000),
      last_event_location_id = c.last_event_location_id,
      locating = c.locating
    FROM
      (
        SELECT
          unnest($9::int[]) AS org_id,
          unnest($10::int[]) AS asset_id,
          unnest($11::int[]) AS location_id,
          unnest($12::float8[]) AS since,
          unnest($13::float8[]) AS last_seen,
          unnest($14::int[]) AS reader_id,
          unnest($15::int[]) AS antenna,
          unnest($16::float8[]) AS last_event,
          unnest($17::int[]) AS last_event_location_id,
          unnest($18::text[]) AS locating
      ) AS c
      CROSS JOIN LATERAL (
        SELECT
          r.ctid,
          r.asset_id
        FROM
          asset_positions r
        WHERE
          r.org_id = c.org_id
          AND r.asset_id >= c.asset_id
        ORDER BY
          r.asset_id
        LIMIT
          1
      ) locked
    WHERE
      p.ctid = locked.ctid
      AND locked.asset_id = c.asset_id
    RETURNING
      1
  ),
  new_position AS (
    INSERT INTO
      asset_positions (
        org_id,
        asset_id,
        location_id,
        located_since,
        asset_last_seen,
        reader_id,
        antenna,
        last_event_at,
        last_event_location_id,
        locating
      )
    SELECT
      c.org_id,
      c.asset_id,
      c.location_id,
      to_timestamp(c.since / 1000),
      to_timestamp(c.last_seen / 1000),
      c.reader_id,
      c.antenna,
      to_timestamp(c.last_event / 1000),
      c.last_event_location_id,
      c.locating
    FROM
      (
        SELECT
          unnest($19::int[]) AS org_id,
          unnest($20::int[]) AS asset_id,
          unnest($21::int[]) AS location_id,
          unnest($22::float8[]) AS since,
          unnest($23::float8[]) AS last_seen,
          unnest($24::int[]) AS reader_id,
          unnest($25::int[]) AS antenna,
          unnest($26::float8[]) AS last_event,
          unnest($27::int[]) AS last_event_location_id,
          unnest($28::text[]) AS locating
      ) AS c
      CROSS JOIN LATERAL (
        SELECT
        FROM
          assets a
        WHERE
          a.id = c.asset_id
          AND a.org_id + 0 = c.org_id
          AND a.deleted_at IS NULL
        FOR KEY SHARE
          SKIP LOCKED
      ) live
    ORDER BY
      c.asset_id
    ON CONFLICT (org_id, asset_id) DO NOTHING
    RETURNING
      1
  ),
  visit_end AS (
    UPDATE asset_visits v
    SET
      left_at = to_timestamp(c.until / 1000),
      last_seen_at = to_timestamp(c.last_seen / 1000)
    FROM
      (
        SELECT
          unnest($29::int[]) AS org_id,
          unnest($30::int[]) AS asset_id,
          unnest($31::float8[]) AS until,
          unnest($32::float8[]) AS last_seen
      ) AS c
      CROSS JOIN LATERAL (
        SELECT
          o.ctid
        FROM
          asset_visits o
        WHERE
          o.org_id = c.org_id
          AND o.asset_id = c.asset_id
        ORDER BY
          o.arrived_at DESC
        LIMIT
          1
      ) newest
    WHERE
      v.ctid = newest.ctid
  ),
  visit AS (
    INSERT INTO
      asset_visits (org_id, asset_id, arrived_at, left_at, last_seen_at, location_id)
    SELECT
      c.org_id,
      c.asset_id,
      to_timestamp(c.arrived / 1000),
      to_timestamp(c.until / 1000),
      CASE
        WHEN c.until IS NOT NULL THEN to_timestamp(c.arrived / 1000)
      END,
      c.location_id
    FROM
      (
        SELECT
          unnest($33::int[]) AS org_id,
          unnest($34::int[]) AS asset_id,
          unnest($35::float8[]) AS arrived,
          unnest($36::float8[]) AS until,
          unnest($37::int[]) AS location_id
      ) AS c
    ON CONFLICT (org_id, asset_id, arrived_at) DO UPDATE
    SET
      left_at = EXCLUDED.left_at,
      last_seen_at = EXCLUDED.last_seen_at,
      location_id = EXCLUDED.location_id
  )
SELECT
  (
    SELECT
      count(*)::int
    FROM
      event
  ) AS stored_events,
  require_all_stored (
    (
      SELECT
        count(*)
      FROM
        position
    ) + (
      SELECT
        count(*)
      FROM
        new_position
    ),
    $38::int
  ) AS all_positions,
  (
    SELECT
      count(pg_notify ('whereabouts_positions', n.notice))::int
    FROM
      (
        SELECT
          unnest($39::text[]) AS notice
      ) AS n
  ) AS notices,
  (
    extract(
      epoch
      FROM
        clock_timestamp()
    ) * 1000
  )::float8 AS now_ms,
  '' AS stored_heartbeats;
-- plan:
--   Result
--     CTE event: ModifyTable scan_events
--       Subquery Scan
--         ProjectSet
--           Result
--     CTE position: ModifyTable asset_positions
--       Nested Loop
--         Nested Loop
--           Subquery Scan
--             ProjectSet
--               Result
--           Subquery Scan
--             Limit
--               Index Scan asset_positions by asset_positions_pkey
--         Tid Scan asset_positions
--     CTE new_position: ModifyTable asset_positions
--       Subquery Scan
--         Sort
--           Nested Loop
--             ProjectSet
--               Result
--             Subquery Scan
--               LockRows
--                 Index Scan assets by assets_live_name_order
--     CTE visit_end: ModifyTable asset_visits
--       Nested Loop
--         Nested Loop
--           Subquery Scan
--             ProjectSet
--               Result
--           Subquery Scan
--             Limit
--               Index Scan asset_visits by asset_visits_pkey
--         Memoize
--           Tid Scan asset_visits
--     CTE visit: ModifyTable asset_visits
--       Subquery Scan
--         ProjectSet
--           Result
--     InitPlan 6: Aggregate
--       CTE Scan event
--     InitPlan 7: Aggregate
--       CTE Scan position
--     InitPlan 8: Aggregate
--       CTE Scan new_position
--     InitPlan 9: Aggregate
--       ProjectSet
--         Result
