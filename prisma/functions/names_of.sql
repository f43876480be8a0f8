-- Returns the names of the rows that an asset or a location refers to, as the activity log shows them: `Pump`, or with a key
-- `Aisle A (LOC-0001)`. `version` has the columns that refer to them.
CREATE OR REPLACE FUNCTION names_of(noun text, org_id int, version json) RETURNS TABLE (names json) LANGUAGE sql STABLE AS $$
  SELECT json_object_agg(r.label, r.name || coalesce(' (' || r.external_key || ')', '')) FROM references_of($1, $2, $3) r
$$;
