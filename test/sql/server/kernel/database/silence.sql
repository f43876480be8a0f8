-- name: askDatabase
SELECT 1;
