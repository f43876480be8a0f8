-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets, locations and tags while their indexes are built: reads and writes go on. A million
-- assets take two to three minutes, a million tags one minute. A release before this one searches by the indexes that are
-- dropped at the end, and reads all rows of an organization once they are gone.
--
-- Substrings of any length and in any language are found by these indexes, whatever the locale of the database is. The planner
-- needs no statistics of them.

DROP INDEX CONCURRENTLY IF EXISTS assets_live_grams;
CREATE INDEX CONCURRENTLY assets_live_grams
  ON assets USING gin (search_grams(org_id, search_text(name, external_key, description)))
  WHERE deleted_at IS NULL;
ALTER INDEX assets_live_grams ALTER COLUMN 1 SET STATISTICS 0;

DROP INDEX CONCURRENTLY IF EXISTS assets_deleted_grams;
CREATE INDEX CONCURRENTLY assets_deleted_grams
  ON assets USING gin (search_grams(org_id, search_text(name, external_key, description)))
  WHERE deleted_at IS NOT NULL;
ALTER INDEX assets_deleted_grams ALTER COLUMN 1 SET STATISTICS 0;

DROP INDEX CONCURRENTLY IF EXISTS locations_live_grams;
CREATE INDEX CONCURRENTLY locations_live_grams
  ON locations USING gin (search_grams(org_id, search_text(name, external_key, description)))
  WHERE deleted_at IS NULL;
ALTER INDEX locations_live_grams ALTER COLUMN 1 SET STATISTICS 0;

DROP INDEX CONCURRENTLY IF EXISTS locations_deleted_grams;
CREATE INDEX CONCURRENTLY locations_deleted_grams
  ON locations USING gin (search_grams(org_id, search_text(name, external_key, description)))
  WHERE deleted_at IS NOT NULL;
ALTER INDEX locations_deleted_grams ALTER COLUMN 1 SET STATISTICS 0;

DROP INDEX CONCURRENTLY IF EXISTS tags_live_grams;
CREATE INDEX CONCURRENTLY tags_live_grams
  ON tags USING gin (search_grams(org_id, fold_case(value)))
  WHERE deleted_at IS NULL;
ALTER INDEX tags_live_grams ALTER COLUMN 1 SET STATISTICS 0;

DROP INDEX CONCURRENTLY IF EXISTS assets_search;
DROP INDEX CONCURRENTLY IF EXISTS locations_search;
DROP INDEX CONCURRENTLY IF EXISTS tags_search;
