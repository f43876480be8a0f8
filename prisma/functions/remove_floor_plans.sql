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
