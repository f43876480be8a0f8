-- Trigger on `organizations`, after the insertion of a row. Adds the free ranges of a new organization: all slots, for
-- assets and for locations.
CREATE OR REPLACE FUNCTION add_free_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  VALUES (NEW.id, 'asset', 1, 999999999999999), (NEW.id, 'location', 1, 999999999999999);
  RETURN NULL;
END
$$;
