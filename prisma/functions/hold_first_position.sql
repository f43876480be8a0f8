-- Trigger on `assets`, before each row whose `belongs_to_id` changes. Locks the row against foreign keys too, so that the
-- first position of the asset is stored either before the change, which then updates it, or after it.
CREATE OR REPLACE FUNCTION hold_first_position() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM assets WHERE org_id = NEW.org_id AND id = NEW.id FOR UPDATE;
  RETURN NEW;
END
$$;
