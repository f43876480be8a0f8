-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets and locations for seconds: reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS assets_trash;
CREATE INDEX CONCURRENTLY assets_trash ON assets (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS locations_trash;
CREATE INDEX CONCURRENTLY locations_trash ON locations (org_id, deleted_at, id) WHERE deleted_at IS NOT NULL;
