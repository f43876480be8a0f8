-- Trigger on `asset_positions`, before each insertion: a new position is listed at the time at which its asset was seen.
CREATE OR REPLACE FUNCTION set_listed_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.listed_at := NEW.asset_last_seen;
  RETURN NEW;
END
$$;
