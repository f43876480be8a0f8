-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on assets for milliseconds: reads and writes go on.
-- `assets_trash` begins with the same column and has the same rows.
DROP INDEX CONCURRENTLY IF EXISTS assets_deleted;
