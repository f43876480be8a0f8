-- What left a location: the last time for each asset, kept for some days. The events know too, but cannot be asked by
-- location: an index on them would cost every event, and still hold each parked asset thousands of times.

CREATE TABLE location_departures (
  org_id int NOT NULL,
  location_id int NOT NULL,
  asset_id int NOT NULL,
  -- The stay that ended: since when it was there, when it was last seen there, and when it was first seen elsewhere.
  located_since timestamptz(3) NOT NULL,
  last_seen timestamptz(3) NOT NULL,
  left_at timestamptz(3) NOT NULL,
  CONSTRAINT location_departures_pkey PRIMARY KEY (org_id, location_id, asset_id)
);
CREATE INDEX location_departures_by_time ON location_departures (org_id, location_id, left_at DESC, asset_id);
-- For throwing away what is old; next to nothing to keep.
CREATE INDEX location_departures_left_at_idx ON location_departures USING brin (left_at);

-- Whoever moves a position holds its row, so two never write one departure.
CREATE FUNCTION note_departure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO location_departures AS d (org_id, location_id, asset_id, located_since, last_seen, left_at)
  VALUES (OLD.org_id, OLD.location_id, OLD.asset_id, OLD.located_since, OLD.asset_last_seen, NEW.located_since)
  ON CONFLICT (org_id, location_id, asset_id) DO UPDATE
     SET located_since = EXCLUDED.located_since, last_seen = EXCLUDED.last_seen, left_at = EXCLUDED.left_at;
  RETURN NULL;
END
$$;

-- An asset that stays where it is costs the comparison alone.
CREATE TRIGGER note_departure AFTER UPDATE OF location_id ON asset_positions
  FOR EACH ROW WHEN (OLD.location_id IS DISTINCT FROM NEW.location_id AND OLD.location_id IS NOT NULL)
  EXECUTE FUNCTION note_departure();
