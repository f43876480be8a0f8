-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets for about ten seconds per million rows: reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS assets_live_name_order;
CREATE INDEX CONCURRENTLY assets_live_name_order
  ON assets (org_id, name COLLATE natural_order, id) INCLUDE (is_active, valid_from, valid_to)
  WHERE deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS assets_live_key_order;
CREATE INDEX CONCURRENTLY assets_live_key_order
  ON assets (org_id, external_key COLLATE natural_order) INCLUDE (id, is_active, valid_from, valid_to)
  WHERE deleted_at IS NULL;
