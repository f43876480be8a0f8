-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on locations while the index is built, less than a second for a million locations: reads and
-- writes go on.

-- Every process looks for locations that were deleted in the last seconds. Only a deletion writes this index.
DROP INDEX CONCURRENTLY IF EXISTS locations_deleted_at;
CREATE INDEX CONCURRENTLY locations_deleted_at ON locations (deleted_at) WHERE deleted_at IS NOT NULL;
