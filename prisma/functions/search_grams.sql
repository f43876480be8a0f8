-- Returns the sequences of four characters in a folded text, one from each position, for an index that finds
-- substrings. At the end of the text they are shorter. Each begins with the id of the organization, so that a search
-- reads the entries of one organization only. A sequence that begins with a control character is omitted, because no
-- search can contain control characters.
--
-- A text of up to four characters is a substring if and only if a sequence begins with it. `search_query` makes the
-- query.
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
