-- name: requireData
SELECT to_regclass('organizations') IS NOT NULL AS has_data;
