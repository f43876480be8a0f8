-- name: readOutboundPause
SELECT
  EXISTS (
    SELECT
    FROM
      outbound_pause
  ) AS paused;
-- plan:
--   Result
--     InitPlan 1: Index Only Scan outbound_pause by outbound_pause_pkey (whole)
