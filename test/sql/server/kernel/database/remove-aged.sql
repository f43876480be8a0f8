-- name: removeAged
DELETE FROM alerts
WHERE
  id IN (
    SELECT
      id
    FROM
      alerts
    WHERE
      opened_at < now() - make_interval(days => $1::int)
      AND (
        NOT is_condition
        OR ended_at IS NOT NULL
      )
    ORDER BY
      opened_at
    LIMIT
      $2::int
  );
-- plan:
--   ModifyTable alerts
--     Nested Loop
--       Aggregate
--         Subquery Scan
--           Limit
--             Index Scan alerts by alerts_opened_at
--       Index Scan alerts by alerts_pkey

-- name: removeAged
DELETE FROM webhook_deliveries
WHERE
  id IN (
    SELECT
      id
    FROM
      webhook_deliveries
    WHERE
      created_at < now() - make_interval(days => $1::int)
      AND (status <> 'pending')
    ORDER BY
      created_at
    LIMIT
      $2::int
  );
-- plan:
--   ModifyTable webhook_deliveries
--     Nested Loop
--       Aggregate
--         Subquery Scan
--           Limit
--             Index Scan webhook_deliveries by webhook_deliveries_created_at
--       Index Scan webhook_deliveries by webhook_deliveries_pkey
