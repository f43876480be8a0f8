-- Returns the columns that differ between two versions of a row, given as JSON. Leaves out columns that say which row it is,
-- and since when. `json` keeps the digits of numbers, which `jsonb` would write out or reject.
CREATE OR REPLACE FUNCTION changed_columns(before json, after json) RETURNS TABLE (key text, old json, new json)
  LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT c.key, c.old, c.new
    FROM ROWS FROM (json_each($1), json_each($2)) AS c (key, old, same, new)
   WHERE c.old::text <> c.new::text
     AND c.key <> ALL ('{id,org_id,created_at,updated_at,deleted_at,is_expired}'::text[])
$$;
