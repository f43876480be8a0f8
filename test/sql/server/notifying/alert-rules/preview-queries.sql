-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      g.minute + make_interval(secs => $1::int) AS at,
      NULL::int AS asset_id,
      g.reader_id::int AS reader_id,
      NULL::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      g.minute AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          m.reader_id,
          m.minute,
          coalesce(
            lead(m.minute) OVER (
              PARTITION BY
                m.reader_id
              ORDER BY
                m.minute
            ),
            now()
          ) AS next
        FROM
          reader_minutes m
        WHERE
          m.org_id = $2::int
      ) g
      JOIN readers r ON r.org_id = $3::int
      AND r.id = g.reader_id
      AND r.deleted_at IS NULL
    WHERE
      g.next - g.minute >= make_interval(secs => $4::int) + interval '1 minute'
  ) h
WHERE
  h.at >= now() - make_interval(days => $5::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $6::int;
-- plan:
--   Limit
--     Sort
--       Nested Loop
--         Subquery Scan
--           WindowAgg
--             Sort
--               Bitmap Heap Scan reader_minutes
--                 Bitmap Index Scan by reader_minutes_pkey
--         Index Scan readers by readers_org_id_id_key

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      min(u.first_seen) AS at,
      NULL::int AS asset_id,
      min(u.reader_id) AS reader_id,
      NULL::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      u.tag_type,
      u.value,
      NULL::float8 AS measured
    FROM
      unknown_tags u
    WHERE
      u.org_id = $1::int
      AND u.last_seen >= now() - make_interval(days => $2::int)
    GROUP BY
      u.tag_type,
      u.value
    HAVING
      min(u.first_seen) >= now() - make_interval(days => $3::int)
  ) h
WHERE
  h.at >= now() - make_interval(days => $4::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $5::int;
-- plan:
--   Limit
--     Sort
--       Subquery Scan
--         Aggregate
--           Sort
--             Index Scan unknown_tags by unknown_tags_org_id_last_seen_id_idx

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      r.began + make_interval(secs => $1::int) AS at,
      t.asset_id,
      NULL::int AS reader_id,
      p.location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      r.began AS since,
      t.tag_type,
      t.value,
      r.measured
    FROM
      (
        SELECT
          m.tag_id
        FROM
          tag_telemetry m
        WHERE
          m.org_id = $2::int
        ORDER BY
          m.tag_id
        LIMIT
          $3::int
      ) m
      CROSS JOIN LATERAL (
        SELECT
          min(f.hour) AS began,
          (
            array_agg(
              f.value
              ORDER BY
                f.hour
            )
          ) [1] AS measured
        FROM
          (
            SELECT
              h.hour,
              h.battery::float8 AS value,
              h.battery < $4::float8 AS holds,
              count(*) FILTER (
                WHERE
                  NOT h.battery < $5::float8
              ) OVER (
                ORDER BY
                  h.hour
              ) AS run
            FROM
              tag_telemetry_hours h
            WHERE
              h.tag_id = m.tag_id
              AND h.battery IS NOT NULL
              AND h.hour >= now() - make_interval(days => $6::int) - make_interval(secs => $7::int)
          ) f
        WHERE
          f.holds
        GROUP BY
          f.run
        HAVING
          max(f.hour) - min(f.hour) >= make_interval(secs => $8::int)
          -- Otherwise it may have begun before.
          AND (
            f.run > 0
            OR NOT EXISTS (
              SELECT
              FROM
                tag_telemetry_hours h
              WHERE
                h.tag_id = m.tag_id
                AND h.battery IS NOT NULL
                AND h.hour < now() - make_interval(days => $9::int) - make_interval(secs => $10::int)
            )
          )
      ) r
      JOIN tags t ON t.org_id = $11::int
      AND t.id = m.tag_id
      AND t.asset_id IS NOT NULL
      AND t.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = $12::int
      AND p.asset_id = t.asset_id
  ) h
WHERE
  h.at >= now() - make_interval(days => $13::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $14::int;
-- plan:
--   Limit
--     Sort
--       Nested Loop
--         Nested Loop
--           Nested Loop
--             Limit
--               Sort
--                 Bitmap Heap Scan tag_telemetry
--                   Bitmap Index Scan by tag_telemetry_org_id
--             Aggregate
--               InitPlan 1: Index Scan tag_telemetry_hours by tag_telemetry_hours_pkey
--               Sort
--                 Subquery Scan
--                   WindowAgg
--                     Index Scan tag_telemetry_hours by tag_telemetry_hours_pkey
--           Index Scan tags by tags_live_pair
--         Bitmap Heap Scan asset_positions
--           Bitmap Index Scan by asset_positions_listed

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      r.began + make_interval(secs => $1::int) AS at,
      t.asset_id,
      NULL::int AS reader_id,
      p.location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      r.began AS since,
      t.tag_type,
      t.value,
      r.measured
    FROM
      (
        SELECT
          m.tag_id
        FROM
          tag_telemetry m
        WHERE
          m.org_id = $2::int
        ORDER BY
          m.tag_id
        LIMIT
          $3::int
      ) m
      CROSS JOIN LATERAL (
        SELECT
          min(f.hour) AS began,
          (
            array_agg(
              f.value
              ORDER BY
                f.hour
            )
          ) [1] AS measured
        FROM
          (
            SELECT
              h.hour,
              h.temperature::float8 AS value,
              h.temperature < $4::float8 AS holds,
              count(*) FILTER (
                WHERE
                  NOT h.temperature < $5::float8
              ) OVER (
                ORDER BY
                  h.hour
              ) AS run
            FROM
              tag_telemetry_hours h
            WHERE
              h.tag_id = m.tag_id
              AND h.temperature IS NOT NULL
              AND h.hour >= now() - make_interval(days => $6::int) - make_interval(secs => $7::int)
          ) f
        WHERE
          f.holds
        GROUP BY
          f.run
        HAVING
          max(f.hour) - min(f.hour) >= make_interval(secs => $8::int)
          -- Otherwise it may have begun before.
          AND (
            f.run > 0
            OR NOT EXISTS (
              SELECT
              FROM
                tag_telemetry_hours h
              WHERE
                h.tag_id = m.tag_id
                AND h.temperature IS NOT NULL
                AND h.hour < now() - make_interval(days => $9::int) - make_interval(secs => $10::int)
            )
          )
      ) r
      JOIN tags t ON t.org_id = $11::int
      AND t.id = m.tag_id
      AND t.asset_id IS NOT NULL
      AND t.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = $12::int
      AND p.asset_id = t.asset_id
  ) h
WHERE
  h.at >= now() - make_interval(days => $13::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $14::int;
-- plan:
--   Limit
--     Sort
--       Nested Loop
--         Nested Loop
--           Nested Loop
--             Limit
--               Sort
--                 Bitmap Heap Scan tag_telemetry
--                   Bitmap Index Scan by tag_telemetry_org_id
--             Aggregate
--               InitPlan 1: Index Scan tag_telemetry_hours by tag_telemetry_hours_pkey
--               Sort
--                 Subquery Scan
--                   WindowAgg
--                     Index Scan tag_telemetry_hours by tag_telemetry_hours_pkey
--           Index Scan tags by tags_live_pair
--         Bitmap Heap Scan asset_positions
--           Bitmap Index Scan by asset_positions_listed

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      r.began + make_interval(secs => $1::int) AS at,
      t.asset_id,
      NULL::int AS reader_id,
      p.location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      r.began AS since,
      t.tag_type,
      t.value,
      r.measured
    FROM
      (
        SELECT
          m.tag_id
        FROM
          tag_telemetry m
        WHERE
          m.org_id = $2::int
        ORDER BY
          m.tag_id
        LIMIT
          $3::int
      ) m
      CROSS JOIN LATERAL (
        SELECT
          min(f.hour) AS began,
          (
            array_agg(
              f.value
              ORDER BY
                f.hour
            )
          ) [1] AS measured
        FROM
          (
            SELECT
              h.hour,
              h.temperature::float8 AS value,
              h.temperature > $4::float8 AS holds,
              count(*) FILTER (
                WHERE
                  NOT h.temperature > $5::float8
              ) OVER (
                ORDER BY
                  h.hour
              ) AS run
            FROM
              tag_telemetry_hours h
            WHERE
              h.tag_id = m.tag_id
              AND h.temperature IS NOT NULL
              AND h.hour >= now() - make_interval(days => $6::int) - make_interval(secs => $7::int)
          ) f
        WHERE
          f.holds
        GROUP BY
          f.run
        HAVING
          max(f.hour) - min(f.hour) >= make_interval(secs => $8::int)
          -- Otherwise it may have begun before.
          AND (
            f.run > 0
            OR NOT EXISTS (
              SELECT
              FROM
                tag_telemetry_hours h
              WHERE
                h.tag_id = m.tag_id
                AND h.temperature IS NOT NULL
                AND h.hour < now() - make_interval(days => $9::int) - make_interval(secs => $10::int)
            )
          )
      ) r
      JOIN tags t ON t.org_id = $11::int
      AND t.id = m.tag_id
      AND t.asset_id IS NOT NULL
      AND t.deleted_at IS NULL
      LEFT JOIN asset_positions p ON p.org_id = $12::int
      AND p.asset_id = t.asset_id
  ) h
WHERE
  h.at >= now() - make_interval(days => $13::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $14::int;
-- plan:
--   Limit
--     Sort
--       Nested Loop
--         Nested Loop
--           Nested Loop
--             Limit
--               Sort
--                 Bitmap Heap Scan tag_telemetry
--                   Bitmap Index Scan by tag_telemetry_org_id
--             Aggregate
--               InitPlan 1: Index Scan tag_telemetry_hours by tag_telemetry_hours_pkey
--               Sort
--                 Subquery Scan
--                   WindowAgg
--                     Index Scan tag_telemetry_hours by tag_telemetry_hours_pkey
--           Index Scan tags by tags_live_pair
--         Bitmap Heap Scan asset_positions
--           Bitmap Index Scan by asset_positions_listed

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      t.created_at AS at,
      NULL::int AS asset_id,
      NULL::int AS reader_id,
      t.id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      locations t
    WHERE
      t.org_id = $1::int
      AND t.created_at >= now() - make_interval(days => $2::int)
  ) h
WHERE
  h.at >= now() - make_interval(days => $3::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $4::int;
-- plan:
--   Limit
--     Sort
--       Bitmap Heap Scan locations
--         Bitmap Index Scan by locations_valid_from

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      t.created_at AS at,
      t.id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      assets t
    WHERE
      t.org_id = $1::int
      AND t.created_at >= now() - make_interval(days => $2::int)
  ) h
WHERE
  h.at >= now() - make_interval(days => $3::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $4::int;
-- plan:
--   Limit
--     Sort
--       Bitmap Heap Scan assets
--         Bitmap Index Scan by assets_valid_from

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      t.deleted_at AS at,
      NULL::int AS asset_id,
      NULL::int AS reader_id,
      t.id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      locations t
    WHERE
      t.org_id = $1::int
      AND t.deleted_at >= now() - make_interval(days => $2::int)
  ) h
WHERE
  h.at >= now() - make_interval(days => $3::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $4::int;
-- plan:
--   Limit
--     Index Only Scan locations by locations_trash

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      t.deleted_at AS at,
      t.id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      assets t
    WHERE
      t.org_id = $1::int
      AND t.deleted_at >= now() - make_interval(days => $2::int)
  ) h
WHERE
  h.at >= now() - make_interval(days => $3::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $4::int;
-- plan:
--   Limit
--     Index Only Scan assets by assets_trash

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      t.updated_at AS at,
      NULL::int AS asset_id,
      NULL::int AS reader_id,
      t.id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      locations t
    WHERE
      t.org_id = $1::int
      AND t.updated_at >= now() - make_interval(days => $2::int)
      AND t.updated_at > t.created_at
  ) h
WHERE
  h.at >= now() - make_interval(days => $3::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $4::int;
-- plan:
--   Limit
--     Sort
--       Bitmap Heap Scan locations
--         Bitmap Index Scan by locations_valid_from

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      t.updated_at AS at,
      t.id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      assets t
    WHERE
      t.org_id = $1::int
      AND t.updated_at >= now() - make_interval(days => $2::int)
      AND t.updated_at > t.created_at
  ) h
WHERE
  h.at >= now() - make_interval(days => $3::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $4::int;
-- plan:
--   Limit
--     Sort
--       Bitmap Heap Scan assets
--         Bitmap Index Scan by assets_valid_from

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      w.arrived_at + make_interval(secs => $1::int) AS at,
      w.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      w.location_id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      w.arrived_at AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          v.*
        FROM
          asset_visits v
        WHERE
          v.org_id = $2::int
          AND v.left_at >= now() - make_interval(days => $3::int)
        ORDER BY
          v.left_at DESC
        LIMIT
          $4::int
      ) w
    WHERE
      w.left_at - w.arrived_at >= make_interval(secs => $5::int)
      AND w.arrived_at + make_interval(secs => $6::int) >= now() - make_interval(days => $7::int)
      AND w.location_id IS NOT NULL
    UNION ALL
    SELECT
      w.located_since + make_interval(secs => $8::int) AS at,
      w.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      w.location_id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      w.located_since AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          p.*
        FROM
          asset_positions p
        WHERE
          p.org_id = $9::int
      ) w
    WHERE
      w.located_since BETWEEN now() - make_interval(days => $10::int) - make_interval(secs => $11::int) AND now() - make_interval(secs => $12::int)
      AND w.location_id IS NOT NULL
  ) h
WHERE
  h.at >= now() - make_interval(days => $13::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $14::int;
-- plan:
--   Limit
--     Sort
--       Result
--         Append
--           Subquery Scan
--             Limit
--               Sort
--                 Bitmap Heap Scan asset_visits
--                   Bitmap Index Scan by asset_visits_departures
--           Index Scan asset_positions by asset_positions_located_since

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    SELECT
      w.last_seen_at + make_interval(secs => $1::int) AS at,
      w.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      w.location_id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      w.last_seen_at AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          v.*
        FROM
          asset_visits v
        WHERE
          v.org_id = $2::int
          AND v.left_at >= now() - make_interval(days => $3::int)
        ORDER BY
          v.left_at DESC
        LIMIT
          $4::int
      ) w
    WHERE
      w.left_at - w.last_seen_at >= make_interval(secs => $5::int)
      AND w.last_seen_at + make_interval(secs => $6::int) >= now() - make_interval(days => $7::int)
    UNION ALL
    SELECT
      w.asset_last_seen + make_interval(secs => $8::int) AS at,
      w.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      w.location_id::int AS location_id,
      NULL::int AS from_id,
      NULL::int AS to_id,
      w.asset_last_seen AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          p.*
        FROM
          asset_positions p
        WHERE
          p.org_id = $9::int
      ) w
    WHERE
      w.asset_last_seen BETWEEN now() - make_interval(days => $10::int) - make_interval(secs => $11::int) AND now() - make_interval(secs => $12::int)
  ) h
WHERE
  h.at >= now() - make_interval(days => $13::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $14::int;
-- plan:
--   Limit
--     Sort
--       Result
--         Append
--           Subquery Scan
--             Limit
--               Sort
--                 Bitmap Heap Scan asset_visits
--                   Bitmap Index Scan by asset_visits_departures
--           Bitmap Heap Scan asset_positions
--             Bitmap Index Scan by asset_positions_listed

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    WITH
      ended AS MATERIALIZED (
        SELECT
          v.*
        FROM
          (
            WITH RECURSIVE
              below AS (
                SELECT
                  l.id
                FROM
                  locations l
                WHERE
                  l.org_id = $1::int
                  AND l.id = ANY ($2::int[])
                UNION
                SELECT
                  c.id
                FROM
                  below b
                  JOIN locations c ON c.org_id = $3::int
                  AND c.parent_id = b.id
                  AND c.deleted_at IS NULL
              )
            SELECT
              id
            FROM
              below
          ) s
          CROSS JOIN LATERAL (
            SELECT
              *
            FROM
              asset_visits x
            WHERE
              x.org_id = $4::int
              AND x.location_id = s.id
              AND x.left_at >= now() - make_interval(days => $5::int)
            ORDER BY
              x.left_at DESC
            LIMIT
              $6::int
          ) v
        ORDER BY
          v.left_at DESC
        LIMIT
          $7::int
      )
    SELECT
      e.left_at AS at,
      e.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      e.location_id::int AS from_id,
      n.location_id::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      ended e
      LEFT JOIN LATERAL (
        SELECT
          v.location_id
        FROM
          asset_visits v
        WHERE
          v.org_id = $8::int
          AND v.asset_id = e.asset_id
          AND v.arrived_at >= e.left_at
        ORDER BY
          v.arrived_at
        LIMIT
          1
      ) n ON true
    UNION
    SELECT
      a.arrived_at AS at,
      a.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      b.location_id::int AS from_id,
      a.location_id::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          e.asset_id,
          e.arrived_at,
          e.location_id
        FROM
          ended e
        WHERE
          e.arrived_at >= now() - make_interval(days => $9::int)
        UNION ALL
        (
          SELECT
            p.asset_id,
            p.located_since,
            p.location_id
          FROM
            (
              SELECT
                p.*
              FROM
                asset_positions p
              WHERE
                p.org_id = $10::int
                AND p.location_id = ANY (
                  ARRAY(
                    WITH RECURSIVE
                      below AS (
                        SELECT
                          l.id
                        FROM
                          locations l
                        WHERE
                          l.org_id = $11::int
                          AND l.id = ANY ($12::int[])
                        UNION
                        SELECT
                          c.id
                        FROM
                          below b
                          JOIN locations c ON c.org_id = $13::int
                          AND c.parent_id = b.id
                          AND c.deleted_at IS NULL
                      )
                    SELECT
                      id
                    FROM
                      below
                  )
                )
            ) p
          WHERE
            p.located_since >= now() - make_interval(days => $14::int)
          ORDER BY
            p.located_since DESC
          LIMIT
            $15::int
        )
      ) a
      LEFT JOIN LATERAL (
        SELECT
          v.location_id
        FROM
          asset_visits v
        WHERE
          v.org_id = $16::int
          AND v.asset_id = a.asset_id
          AND v.arrived_at < a.arrived_at
        ORDER BY
          v.arrived_at DESC
        LIMIT
          1
      ) b ON true
  ) h
WHERE
  h.at >= now() - make_interval(days => $17::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $18::int;
-- plan:
--   Limit
--     Sort
--       Subquery Scan
--         Unique
--           CTE ended: Limit
--             Sort
--               Nested Loop
--                 CTE Scan below
--                   CTE below: Recursive Union
--                     Index Only Scan locations by locations_org_id_id_key
--                     Hash Join
--                       WorkTable Scan below
--                       Hash
--                         Index Only Scan locations by locations_live_parent
--                 Limit
--                   Index Scan asset_visits by asset_visits_departures
--           Sort
--             Append
--               Nested Loop
--                 CTE Scan ended
--                 Limit
--                   Index Only Scan asset_visits by asset_visits_pkey
--               Nested Loop
--                 Append
--                   Subquery Scan
--                     CTE Scan ended
--                   Subquery Scan
--                     Limit
--                       InitPlan 4: CTE Scan below
--                         CTE below: Recursive Union
--                           Index Only Scan locations by locations_org_id_id_key
--                           Hash Join
--                             WorkTable Scan below
--                             Hash
--                               Index Only Scan locations by locations_live_parent
--                       Index Scan asset_positions by asset_positions_located_since
--                 Limit
--                   Index Only Scan asset_visits by asset_visits_pkey

-- name: findPastEvents
SELECT
  round(date_part('epoch', h.at) * 1000) AS at,
  h.asset_id,
  h.reader_id,
  h.location_id,
  h.from_id,
  h.to_id,
  round(date_part('epoch', h.since) * 1000) AS since,
  h.tag_type,
  h.value,
  h.measured
FROM
  (
    WITH
      ended AS MATERIALIZED (
        SELECT
          v.*
        FROM
          asset_visits v
        WHERE
          v.org_id = $1::int
          AND v.left_at >= now() - make_interval(days => $2::int)
        ORDER BY
          v.left_at DESC
        LIMIT
          $3::int
      )
    SELECT
      e.left_at AS at,
      e.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      e.location_id::int AS from_id,
      n.location_id::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      ended e
      LEFT JOIN LATERAL (
        SELECT
          v.location_id
        FROM
          asset_visits v
        WHERE
          v.org_id = $4::int
          AND v.asset_id = e.asset_id
          AND v.arrived_at >= e.left_at
        ORDER BY
          v.arrived_at
        LIMIT
          1
      ) n ON true
    UNION
    SELECT
      a.arrived_at AS at,
      a.asset_id::int AS asset_id,
      NULL::int AS reader_id,
      NULL::int AS location_id,
      b.location_id::int AS from_id,
      a.location_id::int AS to_id,
      NULL::timestamptz AS since,
      NULL::text AS tag_type,
      NULL::text AS value,
      NULL::float8 AS measured
    FROM
      (
        SELECT
          e.asset_id,
          e.arrived_at,
          e.location_id
        FROM
          ended e
        WHERE
          e.arrived_at >= now() - make_interval(days => $5::int)
        UNION ALL
        (
          SELECT
            p.asset_id,
            p.located_since,
            p.location_id
          FROM
            (
              SELECT
                p.*
              FROM
                asset_positions p
              WHERE
                p.org_id = $6::int
            ) p
          WHERE
            p.located_since >= now() - make_interval(days => $7::int)
          ORDER BY
            p.located_since DESC
          LIMIT
            $8::int
        )
      ) a
      LEFT JOIN LATERAL (
        SELECT
          v.location_id
        FROM
          asset_visits v
        WHERE
          v.org_id = $9::int
          AND v.asset_id = a.asset_id
          AND v.arrived_at < a.arrived_at
        ORDER BY
          v.arrived_at DESC
        LIMIT
          1
      ) b ON true
  ) h
WHERE
  h.at >= now() - make_interval(days => $10::int)
  AND h.at <= now()
ORDER BY
  h.at DESC
LIMIT
  $11::int;
-- plan:
--   Limit
--     Sort
--       Subquery Scan
--         Unique
--           CTE ended: Limit
--             Sort
--               Bitmap Heap Scan asset_visits
--                 Bitmap Index Scan by asset_visits_departures
--           Sort
--             Append
--               Nested Loop
--                 CTE Scan ended
--                 Limit
--                   Index Only Scan asset_visits by asset_visits_pkey
--               Nested Loop
--                 Append
--                   Subquery Scan
--                     CTE Scan ended
--                   Subquery Scan
--                     Limit
--                       Index Scan asset_positions by asset_positions_located_since
--                 Limit
--                   Index Only Scan asset_visits by asset_visits_pkey
