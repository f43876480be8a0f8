-- Trigger on `readers`, after a row is marked as deleted. Deletes the pins of the reader on floor plans.
CREATE OR REPLACE FUNCTION remove_reader_pins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM floor_plan_shapes WHERE org_id = NEW.org_id AND reader_id = NEW.id;
  RETURN NULL;
END
$$;
