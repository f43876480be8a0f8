-- Trigger on `asset_visits`, before an update that makes an ended visit longer: a process of a release that stores open
-- visits tries again, because the visit that it would end is a position.
CREATE OR REPLACE FUNCTION require_open_visit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM asset_visits v
              WHERE v.org_id = NEW.org_id AND v.asset_id = NEW.asset_id AND v.arrived_at > NEW.arrived_at) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the open visit of asset % is its position', NEW.asset_id USING ERRCODE = 'serialization_failure';
END
$$;
