-- Returns the custom details of an asset that lists can be filtered by: the first 50 members of the object whose value is a
-- text, a number or a boolean, with keys of at most 100 characters. Values are cut to 200 characters.
CREATE OR REPLACE FUNCTION metadata_fields(metadata json) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE
  PARALLEL SAFE ROWS 5 AS $$
  SELECT member.key, left(member.value #>> '{}', 200)
    FROM json_each(CASE WHEN json_typeof($1) = 'object' THEN $1 ELSE '{}' END) WITH ORDINALITY AS member (key, value, place)
   WHERE member.place <= 50
     AND json_typeof(member.value) IN ('string', 'number', 'boolean')
     AND char_length(member.key) BETWEEN 1 AND 100
$$;
