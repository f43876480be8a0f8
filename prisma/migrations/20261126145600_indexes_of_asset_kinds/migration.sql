-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets and locations, while the tables are read: reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS assets_kind;
CREATE INDEX CONCURRENTLY assets_kind ON assets (org_id, kind_id, id) WHERE kind_id IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS locations_assets_free;
CREATE INDEX CONCURRENTLY locations_assets_free ON locations (org_id, id) WHERE assets_free;
