-- name: isFirstRun
SELECT
  1 AS found
FROM
  users
LIMIT
  1;
-- plan:
--   Limit
--     Index Only Scan users by users_email_key (whole)
