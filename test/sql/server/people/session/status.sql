-- name: isFirstRun
SELECT 1 AS found
FROM users
LIMIT 1;
