-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on position_listings while its index is built, about a second for each million: reads and writes
-- go on.
DROP INDEX CONCURRENTLY IF EXISTS position_listings_order;
CREATE INDEX CONCURRENTLY position_listings_order ON position_listings (org_id, seen_slot DESC, slot_ms DESC, hidden_by);
DROP INDEX CONCURRENTLY IF EXISTS position_listings_seen_slot;
ANALYZE position_listings;
