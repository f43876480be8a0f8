-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets and asset_positions, while the tables are read: reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS assets_belongs_to;
CREATE INDEX CONCURRENTLY assets_belongs_to ON assets (org_id, belongs_to_id, id) WHERE belongs_to_id IS NOT NULL AND deleted_at IS NULL;
DROP INDEX CONCURRENTLY IF EXISTS asset_positions_belongs_to;
CREATE INDEX CONCURRENTLY asset_positions_belongs_to ON asset_positions (org_id, belongs_to_id, location_id, asset_id)
  WHERE belongs_to_id IS NOT NULL AND location_id IS NOT NULL AND hidden_by IN (0, 2);
