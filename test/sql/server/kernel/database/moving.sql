-- name: organizationIsMoving
SELECT
  organization_is_moving ($1::int) AS is_moving;
-- plan:
--   Result
