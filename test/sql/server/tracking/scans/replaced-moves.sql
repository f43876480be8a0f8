-- name: rewriteReplacedMoves
WITH
  c AS MATERIALIZED (
    SELECT
      r.org_id,
      r.asset_id,
      r.since,
      nullif(r.was, 0) AS was,
      nullif(r.location_id, 0) AS location_id,
      before.arrived_at AS continued
    FROM
      (
        SELECT
          r.*,
          to_timestamp(r.at / 1000) AS since
        FROM
          (
            SELECT
              unnest($1::int[]) AS org_id,
              unnest($2::int[]) AS asset_id,
              unnest($3::float8[]) AS at,
              unnest($4::int[]) AS was,
              unnest($5::int[]) AS location_id
          ) AS r
      ) r
      LEFT JOIN LATERAL (
        SELECT
          b.arrived_at,
          b.left_at,
          b.location_id
        FROM
          asset_visits b
        WHERE
          b.org_id = r.org_id
          AND b.asset_id = r.asset_id
          AND b.arrived_at < r.since
        ORDER BY
          b.arrived_at DESC
        LIMIT
          1
      ) before ON before.left_at = r.since
      AND before.location_id IS NOT DISTINCT FROM nullif(r.location_id, 0)
  ),
  event AS (
    UPDATE scan_events e
    SET
      location_id = c.location_id
    FROM
      c
    WHERE
      e.org_id = c.org_id
      AND e.asset_id = c.asset_id
      AND e.event_observed_at >= c.since
      AND e.location_id IS NOT DISTINCT FROM c.was
  ),
  renamed AS (
    UPDATE asset_visits v
    SET
      location_id = c.location_id
    FROM
      c
    WHERE
      v.org_id = c.org_id
      AND v.asset_id = c.asset_id
      AND v.arrived_at = c.since
      AND c.continued IS NULL
  ),
  removed AS (
    DELETE FROM asset_visits v USING c
    WHERE
      v.org_id = c.org_id
      AND v.asset_id = c.asset_id
      AND v.arrived_at = c.since
      AND c.continued IS NOT NULL
  ),
  continued AS (
    UPDATE asset_visits v
    SET
      left_at = NULL,
      last_seen_at = NULL
    FROM
      c
    WHERE
      v.org_id = c.org_id
      AND v.asset_id = c.asset_id
      AND v.arrived_at = c.continued
  )
SELECT
  c.asset_id,
  round(date_part('epoch', coalesce(c.continued, c.since)) * 1000) AS since
FROM
  c;
-- plan:
--   CTE Scan c
--     CTE c: Nested Loop
--       ProjectSet
--         Result
--       Subquery Scan
--         Limit
--           Index Scan asset_visits by asset_visits_pkey
--     CTE event: ModifyTable scan_events
--       Result
--     CTE renamed: ModifyTable asset_visits
--       Nested Loop
--         CTE Scan c
--         Index Scan asset_visits by asset_visits_arrivals
--     CTE removed: ModifyTable asset_visits
--       Nested Loop
--         CTE Scan c
--         Index Scan asset_visits by asset_visits_arrivals
--     CTE continued: ModifyTable asset_visits
--       Nested Loop
--         CTE Scan c
--         Index Scan asset_visits by asset_visits_arrivals
