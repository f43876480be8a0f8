-- Locks: none on tables. The next migration builds the indexes that use these functions.

-- Returns the sequences of four characters in a folded text, one from each position, for an index that finds substrings.
-- At the end of the text they are shorter. Each begins with the id of the organization, so that a search reads the entries
-- of one organization only. A sequence that begins with a control character is omitted: no search can contain one.
--
-- A text of up to four characters is a substring exactly if some sequence begins with it. `search_query` makes the query.
--
-- The indexes `assets_live_grams`, `assets_deleted_grams`, `locations_live_grams`, `locations_deleted_grams` and
-- `tags_live_grams` hold results of this function. A migration that changes them must rebuild these indexes.
--
-- The text is taken in pieces of 64 characters, because `substr` counts the characters from the start of its argument.
CREATE OR REPLACE FUNCTION search_grams(org_id int, folded text) RETURNS tsvector
  LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE STRICT AS $$
DECLARE
  prefix text := org_id || ':';
  piece text;
  gram text;
  grams text[] := '{}';
  n int := 0;
BEGIN
  FOR start IN 1..char_length(folded) BY 64 LOOP
    piece := substr(folded, start, 67);
    FOR i IN 1..least(64, char_length(piece)) LOOP
      gram := substr(piece, i, 4);
      IF gram >= ' ' COLLATE "C" THEN
        n := n + 1;
        grams[n] := prefix || gram;
      END IF;
    END LOOP;
  END LOOP;
  RETURN array_to_tsvector(grams);
END
$$;

-- Returns the query for `search_grams` that finds every text which contains the given one. Both texts are folded by
-- `fold_case`. For up to four characters the result is exact. For more it also finds texts that have all sequences of four
-- characters in other places, so the caller compares them. Of a long text about 16 sequences are used.
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
  FOR i IN 1..last - 1 BY greatest(1, last / 15) LOOP
    result := (prefix || replace(replace(substr(folded, i, 4), '\', '\\'), '''', '''''') || '''')::tsquery && result;
  END LOOP;
  RETURN result;
END
$$;
