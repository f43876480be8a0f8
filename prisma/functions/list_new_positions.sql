-- Trigger on `asset_positions`, after each insertion. Inserts the listing of every new position. Its slot is the time at
-- which the asset was last seen, in steps of ten seconds. Rows are inserted in the order of the asset ids, which prevents
-- deadlocks.
CREATE OR REPLACE FUNCTION list_new_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot, reader_id)
  SELECT n.org_id, n.asset_id, n.location_id, n.located_since, floor(date_part('epoch', n.asset_last_seen) / 10)::int,
         n.reader_id
    FROM new_rows n
   ORDER BY n.asset_id;
  RETURN NULL;
END
$$;
