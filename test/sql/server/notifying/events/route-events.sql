-- name: wakeRouting
SELECT
  EXISTS (
    SELECT
    FROM
      outbox_events
  ) AS waits;
-- plan:
--   Result
--     InitPlan 1: Index Only Scan outbox_events by outbox_events_org (whole)
