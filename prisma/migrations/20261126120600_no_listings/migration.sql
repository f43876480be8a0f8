-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on asset_positions, for about ten seconds per million rows: reads and writes go on. Then ACCESS
-- EXCLUSIVE on asset_positions, and on assets for the foreign key of a dropped table, for milliseconds.
DROP INDEX CONCURRENTLY IF EXISTS asset_positions_order;
CREATE INDEX CONCURRENTLY asset_positions_order
  ON asset_positions (org_id, hidden_by, asset_last_seen DESC, asset_id);
DROP INDEX CONCURRENTLY IF EXISTS asset_positions_location;
CREATE INDEX CONCURRENTLY asset_positions_location ON asset_positions (org_id, location_id, hidden_by, asset_id);
DROP INDEX CONCURRENTLY IF EXISTS asset_positions_located_since;
CREATE INDEX CONCURRENTLY asset_positions_located_since ON asset_positions (org_id, located_since, hidden_by);
DROP TRIGGER IF EXISTS list_new_positions ON asset_positions;
DROP TABLE IF EXISTS position_listings;
DROP TABLE IF EXISTS slot_counts;
DROP FUNCTION IF EXISTS list_new_positions();
DROP FUNCTION IF EXISTS keep_slot_counts();
ALTER TABLE asset_positions DROP COLUMN IF EXISTS is_listed_exactly;
