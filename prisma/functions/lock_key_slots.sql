-- Trigger on `assets` and `locations`, before a row is inserted or its key or deletion changes. Arguments: the class of
-- the advisory lock and the prefix of the keys. Locks the key series of the organization until the end of the
-- transaction if the old or the new key occupies a slot.
--
-- The lock is taken before the row reaches the unique index. `mint_key` takes the same lock first, so the two cannot
-- deadlock. An import has reserved its slots before (`server/app/imports/key-reservations.ts`), and locks nothing here.
CREATE OR REPLACE FUNCTION lock_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('whereabouts.keys_reserved', true) = 'on' THEN
    RETURN NEW;
  END IF;
  IF key_slot(TG_ARGV[1], NEW.external_key) IS NOT NULL
     OR (TG_OP = 'UPDATE' AND key_slot(TG_ARGV[1], OLD.external_key) IS NOT NULL) THEN
    PERFORM pg_advisory_xact_lock(TG_ARGV[0]::int, NEW.org_id);
  END IF;
  RETURN NEW;
END
$$;
