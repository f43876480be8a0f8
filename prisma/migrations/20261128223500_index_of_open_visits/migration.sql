-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on asset_visits, for about a second per million rows: reads and writes go on.
DROP INDEX CONCURRENTLY IF EXISTS asset_visits_open_of_asset;
CREATE INDEX CONCURRENTLY asset_visits_open_of_asset ON asset_visits (org_id, asset_id) WHERE left_at IS NULL;
