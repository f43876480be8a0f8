-- Outside of a transaction.
-- Locks: SHARE UPDATE EXCLUSIVE on position_listings while its index is built: reads and writes go on. The custom details of
-- all assets are read once, some seconds for a million assets. Listings are updated in portions of 2,000, and ingestion waits
-- for one portion at most.

INSERT INTO metadata_values (org_id, key, value, asset_id)
SELECT a.org_id, f.key, f.value, a.id
  FROM assets a
 CROSS JOIN LATERAL metadata_fields(a.metadata) f
 WHERE a.deleted_at IS NULL AND a.metadata::text <> '{}'
ON CONFLICT DO NOTHING;

DROP INDEX CONCURRENTLY IF EXISTS position_listings_reader;
CREATE INDEX CONCURRENTLY position_listings_reader ON position_listings (org_id, reader_id, asset_id);

-- The script is divided at semicolons that end a line, so those of the block do not.
DO $$
DECLARE last int := 0; ids int[]; BEGIN
  LOOP
    ids := ARRAY(SELECT l.asset_id FROM position_listings l WHERE l.asset_id > last ORDER BY l.asset_id LIMIT 2000 FOR NO KEY UPDATE)
    ; EXIT WHEN cardinality(ids) = 0
    ; UPDATE position_listings l
         SET reader_id = p.reader_id
        FROM asset_positions p
       WHERE l.asset_id = ANY(ids) AND p.org_id = l.org_id AND p.asset_id = l.asset_id
         AND l.reader_id IS DISTINCT FROM p.reader_id
    ; last := ids[cardinality(ids)]
    ; COMMIT
  ; END LOOP
; END
$$;

ANALYZE metadata_values;
