-- Locks: SHARE ROW EXCLUSIVE on locations, readers and organizations for foreign keys and triggers, for milliseconds: no row of
-- theirs is read or written.

-- A location has one floor plan at most.
CREATE TABLE floor_plans (
  org_id INTEGER NOT NULL,
  location_id INTEGER NOT NULL,
  image_id INTEGER NOT NULL,
  updated_at TIMESTAMPTZ(3) NOT NULL,
  PRIMARY KEY (org_id, location_id),
  FOREIGN KEY (org_id, location_id) REFERENCES locations (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, image_id) REFERENCES images (org_id, id)
);
CREATE UNIQUE INDEX floor_plans_image ON floor_plans (org_id, image_id);

-- A sublocation or a reader on a floor plan: x and y of each point in turn, as parts of the image's width and height. One point
-- is a pin, three or more are an outline.
CREATE TABLE floor_plan_shapes (
  id SERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL,
  plan_location_id INTEGER NOT NULL,
  location_id INTEGER,
  reader_id INTEGER,
  points DOUBLE PRECISION[] NOT NULL,
  FOREIGN KEY (org_id, plan_location_id) REFERENCES floor_plans (org_id, location_id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, location_id) REFERENCES locations (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, reader_id) REFERENCES readers (org_id, id) ON DELETE CASCADE,
  CHECK ((location_id IS NULL) <> (reader_id IS NULL))
);
CREATE UNIQUE INDEX floor_plan_shapes_location ON floor_plan_shapes (org_id, plan_location_id, location_id);
CREATE UNIQUE INDEX floor_plan_shapes_reader ON floor_plan_shapes (org_id, plan_location_id, reader_id);
-- For the plans that show a location or a reader.
CREATE INDEX floor_plan_shapes_of_location ON floor_plan_shapes (org_id, location_id) WHERE location_id IS NOT NULL;
CREATE INDEX floor_plan_shapes_of_reader ON floor_plan_shapes (org_id, reader_id) WHERE reader_id IS NOT NULL;

-- Trigger on `locations`, after a row is marked as deleted. Deletes the floor plan of the location with its image, and the
-- outlines and pins of the location on other plans.
CREATE OR REPLACE FUNCTION remove_floor_plans() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  image INTEGER;
BEGIN
  DELETE FROM floor_plan_shapes WHERE org_id = NEW.org_id AND location_id = NEW.id;
  DELETE FROM floor_plans WHERE org_id = NEW.org_id AND location_id = NEW.id RETURNING image_id INTO image;
  DELETE FROM images WHERE org_id = NEW.org_id AND id = image;
  RETURN NULL;
END
$$;

CREATE TRIGGER remove_floor_plans AFTER UPDATE OF deleted_at ON locations
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION remove_floor_plans();

-- Trigger on `readers`, after a row is marked as deleted. Deletes the pins of the reader on floor plans.
CREATE OR REPLACE FUNCTION remove_reader_pins() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM floor_plan_shapes WHERE org_id = NEW.org_id AND reader_id = NEW.id;
  RETURN NULL;
END
$$;

CREATE TRIGGER remove_reader_pins AFTER UPDATE OF deleted_at ON readers
  FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION remove_reader_pins();
