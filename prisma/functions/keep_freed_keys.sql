-- Trigger on `assets` and `locations`, after a row is inserted, or its key or deletion changes. Arguments: the
-- kind and the prefix of the keys. Adds the slot that the row no longer has to `freed_keys`, and removes the slot that it
-- has now. Only live rows have slots.
--
-- Slots at or above the hint are added too. So a deletion needs no lock, and a create that moves the hint meanwhile
-- misses no slot. If another row had a slot that an import has reserved, and frees it, the slot is no longer reserved.
-- The connection keeps the plan, which may have been made for an empty table.
CREATE OR REPLACE FUNCTION keep_freed_keys() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  freed bigint := CASE WHEN TG_OP <> 'INSERT' AND OLD.deleted_at IS NULL THEN key_slot(TG_ARGV[1], OLD.external_key) END;
  taken bigint := CASE WHEN NEW.deleted_at IS NULL THEN key_slot(TG_ARGV[1], NEW.external_key) END;
BEGIN
  IF freed IS NOT NULL THEN
    INSERT INTO freed_keys (org_id, kind, slot)
    VALUES (OLD.org_id, TG_ARGV[0], freed)
    ON CONFLICT (org_id, kind, slot) DO UPDATE SET lease_token = NULL;
  END IF;
  IF taken IS NOT NULL THEN
    DELETE FROM freed_keys WHERE org_id = NEW.org_id AND kind = TG_ARGV[0] AND slot = taken;
  END IF;
  RETURN NULL;
END
$$;
