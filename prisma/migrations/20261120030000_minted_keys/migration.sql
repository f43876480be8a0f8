-- The lowest free key of a series. Each statement of a volatile function has a snapshot of its own: the second one sees
-- what the previous holder of the series committed, so a whole create is one statement.
CREATE FUNCTION mint_key(owner int, series text) RETURNS text VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(CASE series WHEN 'asset' THEN 1 WHEN 'location' THEN 2 END, owner);
  RETURN (
    SELECT CASE series WHEN 'asset' THEN 'ASSET-' WHEN 'location' THEN 'LOC-' END
           || lpad(first_slot::text, greatest(4, length(first_slot::text)), '0')
      FROM free_key_slots
     WHERE org_id = owner
       AND kind = series
     ORDER BY last_slot
     LIMIT 1);
END
$$;
