-- Locks: ACCESS EXCLUSIVE on asset_positions while its rows are written, about ten seconds per million rows, and SHARE ROW
-- EXCLUSIVE on scan_events for milliseconds.
DROP TRIGGER refuse_foreign_events ON scan_events;
DROP FUNCTION refuse_foreign_events();

-- Trigger on `asset_positions`, before each insertion: a new position is listed at the time at which its asset was seen.
CREATE OR REPLACE FUNCTION set_listed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed_at := NEW.asset_last_seen;
  RETURN NEW;
END
$$;

ALTER TABLE asset_positions ADD COLUMN listed_at TIMESTAMPTZ(3) NOT NULL DEFAULT now();
UPDATE asset_positions SET listed_at = asset_last_seen;
CREATE TRIGGER set_listed_at BEFORE INSERT ON asset_positions FOR EACH ROW EXECUTE FUNCTION set_listed_at();
