-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets and locations while their indexes are built, some seconds for a million assets: reads
-- and writes go on. A release before this one counts expired rows by the indexes that are dropped at the end.

-- What has expired and is not marked yet is counted for every list.
DROP INDEX CONCURRENTLY IF EXISTS assets_unexpired;
CREATE INDEX CONCURRENTLY assets_unexpired ON assets (org_id, valid_to)
  INCLUDE (id, external_key, is_active, valid_from, deleted_at) WHERE valid_to IS NOT NULL AND NOT is_expired;
DROP INDEX CONCURRENTLY IF EXISTS locations_unexpired;
CREATE INDEX CONCURRENTLY locations_unexpired ON locations (org_id, valid_to)
  INCLUDE (is_active, valid_from, deleted_at) WHERE valid_to IS NOT NULL AND NOT is_expired;

-- Positions of assets that are marked are not shown; those before a deep page of the report are counted.
DROP INDEX CONCURRENTLY IF EXISTS assets_expired;
CREATE INDEX CONCURRENTLY assets_expired ON assets (org_id, id) INCLUDE (deleted_at) WHERE is_expired;

-- A deep page begins where as many rows end as are to be skipped. The fewer columns, the faster they are passed.
DROP INDEX CONCURRENTLY IF EXISTS assets_shown_order;
CREATE INDEX CONCURRENTLY assets_shown_order ON assets (org_id, external_key) WHERE deleted_at IS NULL AND NOT is_expired;

DROP INDEX CONCURRENTLY IF EXISTS assets_valid_to;
DROP INDEX CONCURRENTLY IF EXISTS locations_valid_to;
DROP INDEX CONCURRENTLY IF EXISTS assets_live_order;
