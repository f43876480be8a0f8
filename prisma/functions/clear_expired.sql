-- Trigger on `assets` and `locations`, before each row whose window is updated and that is flagged as expired. Clears the flag
-- if the window changes. Maintenance flags the row again if it has expired by then.
--
-- The lock on the asset is the lock of a deletion. So the first position of the asset is either stored before, and
-- counted with the new state, or stored afterwards.
CREATE OR REPLACE FUNCTION clear_expired() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.valid_from, NEW.valid_to) IS DISTINCT FROM (OLD.valid_from, OLD.valid_to) THEN
    IF TG_TABLE_NAME = 'assets' THEN
      PERFORM FROM assets WHERE org_id = OLD.org_id AND id = OLD.id FOR UPDATE;
    END IF;
    NEW.is_expired := false;
  END IF;
  RETURN NEW;
END
$$;
