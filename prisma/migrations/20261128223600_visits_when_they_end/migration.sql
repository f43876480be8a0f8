-- Locks: SHARE ROW EXCLUSIVE on asset_visits for milliseconds.

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

CREATE TRIGGER require_open_visit BEFORE UPDATE OF left_at ON asset_visits
  FOR EACH ROW WHEN (NEW.left_at > OLD.left_at) EXECUTE FUNCTION require_open_visit();

-- Where no open visit is stored, the position is the open visit.
CREATE VIEW open_visits AS
  SELECT p.org_id, p.asset_id, p.located_since AS arrived_at, NULL::timestamptz(3) AS left_at, NULL::timestamptz(3) AS last_seen_at,
         p.location_id
    FROM asset_positions p
   WHERE NOT EXISTS (SELECT FROM asset_visits o
                      WHERE o.org_id = p.org_id AND o.asset_id = p.asset_id AND o.left_at IS NULL);

CREATE VIEW visits AS
  SELECT v.org_id, v.asset_id, v.arrived_at, v.left_at, v.last_seen_at, v.location_id FROM asset_visits v
  UNION ALL
  SELECT o.org_id, o.asset_id, o.arrived_at, o.left_at, o.last_seen_at, o.location_id FROM open_visits o;
