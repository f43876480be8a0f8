-- Trigger on `asset_positions`, after each insertion. Inserts the listing of every new position. Its slot is the time at
-- which the asset was last seen, in steps of ten seconds, and `slot_ms` the milliseconds after that. Rows are inserted in the
-- order of the asset ids, which prevents deadlocks.
CREATE OR REPLACE FUNCTION list_new_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot, slot_ms, reader_id, hidden_by)
  SELECT n.org_id, n.asset_id, n.location_id, n.located_since, t.slot,
         CASE WHEN n.is_listed_exactly THEN (date_part('epoch', n.asset_last_seen) * 1000)::int8 - t.slot::int8 * 10000 ELSE 10000 END,
         n.reader_id, (a.deleted_at IS NOT NULL)::int + 2 * a.is_expired::int
    FROM new_rows n
    JOIN assets a ON a.org_id = n.org_id AND a.id = n.asset_id
   CROSS JOIN LATERAL (SELECT floor(date_part('epoch', n.asset_last_seen) / 10)::int AS slot) t
   ORDER BY n.asset_id;
  RETURN NULL;
END
$$;
