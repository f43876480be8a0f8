-- name: createCore
SELECT
  1;
-- plan:
--   Result
