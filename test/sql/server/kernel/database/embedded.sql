-- name: createDatabaseIfMissing
SELECT
FROM pg_database
WHERE datname = $1;

-- name: createDatabaseIfMissing
CREATE DATABASE whereabouts;
