-- Outside of a transaction.
-- Locks: ROW EXCLUSIVE on alerts while earlier alerts get their locations, then SHARE UPDATE EXCLUSIVE while the indexes are
-- built, for seconds: reads and writes go on.

-- Earlier alerts name the locations themselves; those above them are not known any more.
UPDATE alerts a
   SET location_ids = l.ids
  FROM (SELECT x.id, array_remove(ARRAY[x.location_id, (x.data -> 'from' ->> 'id')::int, (x.data -> 'to' ->> 'id')::int], NULL) AS ids
          FROM alerts x
         WHERE x.location_ids = '{}') l
 WHERE a.id = l.id AND l.ids <> '{}';

DROP INDEX CONCURRENTLY IF EXISTS alerts_asset;
CREATE INDEX CONCURRENTLY alerts_asset ON alerts (org_id, asset_id, id DESC) WHERE in_app AND asset_id IS NOT NULL;

-- An alert has a few locations, so its entries are written at once and not gathered.
DROP INDEX CONCURRENTLY IF EXISTS alerts_locations;
CREATE INDEX CONCURRENTLY alerts_locations ON alerts USING gin (location_ids) WITH (fastupdate = off) WHERE in_app;
