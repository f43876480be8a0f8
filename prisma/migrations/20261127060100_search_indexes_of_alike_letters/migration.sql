-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets, locations and tags, one after another, for up to a minute per million rows:
-- reads and writes go on.
--
-- The indexes of search texts hold results of `fold_case`, which has changed for texts with ß, İ and ı. A rebuild that was
-- broken off leaves an index of its own, which is dropped first.

DROP INDEX CONCURRENTLY IF EXISTS assets_live_grams_ccnew;
DROP INDEX CONCURRENTLY IF EXISTS assets_live_grams_ccold;
REINDEX INDEX CONCURRENTLY assets_live_grams;

DROP INDEX CONCURRENTLY IF EXISTS assets_deleted_grams_ccnew;
DROP INDEX CONCURRENTLY IF EXISTS assets_deleted_grams_ccold;
REINDEX INDEX CONCURRENTLY assets_deleted_grams;

DROP INDEX CONCURRENTLY IF EXISTS locations_live_grams_ccnew;
DROP INDEX CONCURRENTLY IF EXISTS locations_live_grams_ccold;
REINDEX INDEX CONCURRENTLY locations_live_grams;

DROP INDEX CONCURRENTLY IF EXISTS locations_deleted_grams_ccnew;
DROP INDEX CONCURRENTLY IF EXISTS locations_deleted_grams_ccold;
REINDEX INDEX CONCURRENTLY locations_deleted_grams;

DROP INDEX CONCURRENTLY IF EXISTS tags_live_grams_ccnew;
DROP INDEX CONCURRENTLY IF EXISTS tags_live_grams_ccold;
REINDEX INDEX CONCURRENTLY tags_live_grams;
