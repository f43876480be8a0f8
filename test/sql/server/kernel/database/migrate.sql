-- name: readRecorded
SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished"
FROM _prisma_migrations
WHERE rolled_back_at IS NULL
ORDER BY migration_name;

-- name: checkServerVersion
SELECT current_setting('server_version_num')::int AS number, current_setting('server_version') AS version;

-- name: waitForTurn
SELECT pg_try_advisory_lock($1) AS held;

-- name: record
INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
VALUES ($1, $2, $3, $4, clock_timestamp(), 1);

-- name: migrate
CREATE TABLE IF NOT EXISTS _prisma_migrations (id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0);
