-- name: createCore
SELECT 1;
