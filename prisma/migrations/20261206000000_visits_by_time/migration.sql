-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on asset_visits while its indexes are built, some seconds for a million visits: reads and
-- writes go on. ACCESS EXCLUSIVE on it when its key and an index are replaced, for milliseconds.

-- The visits that began in a range of time, in its order: moves for a replay.
DROP INDEX CONCURRENTLY IF EXISTS asset_visits_arrivals;
CREATE INDEX CONCURRENTLY asset_visits_arrivals ON asset_visits (org_id, arrived_at, asset_id);

-- The visits that last, of a location: with the index of departures, what was at a location at an instant.
DROP INDEX CONCURRENTLY IF EXISTS asset_visits_open;
CREATE INDEX CONCURRENTLY asset_visits_open ON asset_visits (org_id, location_id, arrived_at, asset_id) WHERE left_at IS NULL;

-- Departures with the arrival, so that dwell times and what was at a location are read from the index alone.
DROP INDEX CONCURRENTLY IF EXISTS asset_visits_ended;
CREATE INDEX CONCURRENTLY asset_visits_ended ON asset_visits (org_id, location_id, left_at DESC, asset_id)
  INCLUDE (arrived_at) WHERE left_at IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS asset_visits_departures;
ALTER INDEX asset_visits_ended RENAME TO asset_visits_departures;

-- The key with the location, so that the flow between locations is read from the index alone, without a sort.
DROP INDEX CONCURRENTLY IF EXISTS asset_visits_key;
CREATE UNIQUE INDEX CONCURRENTLY asset_visits_key ON asset_visits (org_id, asset_id, arrived_at) INCLUDE (location_id);
ALTER TABLE asset_visits
  DROP CONSTRAINT asset_visits_pkey,
  ADD CONSTRAINT asset_visits_pkey PRIMARY KEY USING INDEX asset_visits_key;
