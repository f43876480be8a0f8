-- Returns the lowest free key of a series, `asset` or `location`, and locks the series until the end of the
-- transaction. Does not take the slot: the triggers of the table do when the row is inserted.
--
-- The function must stay volatile: then its second statement has a newer snapshot, which contains what the previous
-- holder of the lock committed. A create is one statement because of that.
CREATE OR REPLACE FUNCTION mint_key(owner int, series text) RETURNS text VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(CASE series WHEN 'asset' THEN 1 WHEN 'location' THEN 2 END, owner);
  RETURN (
    SELECT CASE series WHEN 'asset' THEN 'ASSET-' WHEN 'location' THEN 'LOC-' END
           || lpad(first_slot::text, greatest(4, length(first_slot::text)), '0')
      FROM free_key_slots
     WHERE org_id = owner
       AND kind = series
     ORDER BY last_slot
     LIMIT 1);
END
$$;
