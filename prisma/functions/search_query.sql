-- Returns the query for `search_grams` that finds every text which contains the given text. Both texts are folded by
-- `fold_case`. For up to four characters the result is exact. For more characters it also finds texts that have the
-- same sequences of four characters in other places, so the caller compares the texts. The sequences follow each other,
-- and the last one ends at the end of the text. For a long text about 16 sequences are used. Overlapping sequences
-- would exclude few further texts, and each costs a lookup.
CREATE OR REPLACE FUNCTION search_query(org_id int, folded text) RETURNS tsquery
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  last int := char_length(folded) - 3;
  -- In a tsquery quotes and backslashes are doubled.
  prefix text := '''' || org_id || ':';
  result tsquery;
BEGIN
  IF last < 1 THEN
    RETURN (prefix || replace(replace(folded, '\', '\\'), '''', '''''') || ''':*')::tsquery;
  END IF;
  result := (prefix || replace(replace(substr(folded, last, 4), '\', '\\'), '''', '''''') || '''')::tsquery;
  FOR i IN 1..last - 1 BY greatest(4, last / 15) LOOP
    result := (prefix || replace(replace(substr(folded, i, 4), '\', '\\'), '''', '''''') || '''')::tsquery && result;
  END LOOP;
  RETURN result;
END
$$;
