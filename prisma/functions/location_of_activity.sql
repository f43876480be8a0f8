-- Returns the name of a location with its key, such as `Aisle A (LOC-0001)`, or null without a location.
CREATE OR REPLACE FUNCTION location_of_activity(org_id int, location_id int) RETURNS text LANGUAGE sql STABLE STRICT AS $$
  SELECT l.name || ' (' || l.external_key || ')' FROM locations l WHERE l.org_id = $1 AND l.id = $2
$$;
