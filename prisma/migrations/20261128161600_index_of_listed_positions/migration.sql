-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on asset_positions, for about five seconds per million rows: reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS asset_positions_listed;
CREATE INDEX CONCURRENTLY asset_positions_listed ON asset_positions (org_id, hidden_by, listed_at DESC, asset_id);
DROP INDEX CONCURRENTLY IF EXISTS asset_positions_order;
