-- Locks: SHARE UPDATE EXCLUSIVE on assets, locations and tags while they are analyzed, for a second or two: reads and writes
-- go on. The functions below are locked until the migration ends.
--
-- The functions return what they returned before, so no index has to be rebuilt.

-- Returns a text with its case folded by the rules of Unicode, whatever the locale of the database is. The final form
-- of the Greek letter sigma becomes the ordinary form. Search compares folded texts only.
--
-- The index `tags_search` holds results of this function. A migration that changes them must rebuild that index.
--
-- A text of ASCII characters alone is folded without ICU, with the same result in a quarter of the time.
CREATE OR REPLACE FUNCTION fold_case(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN octet_length($1) = char_length($1) THEN lower($1 COLLATE "C")
    ELSE translate(lower($1 COLLATE "und-x-icu"), 'ς', 'σ') COLLATE "C"
  END;

-- Returns the text in which a search for an asset or a location looks: name, key and description, with their case
-- folded as `fold_case` does. The unit separator (U+001F) stands between the three. None of them can contain it, so no
-- match spans two fields.
--
-- The indexes `assets_search` and `locations_search` hold results of this function. A migration that changes them must
-- rebuild both indexes.
--
-- Texts of ASCII characters alone are folded without ICU, with the same result in half of the time.
CREATE OR REPLACE FUNCTION search_text(name text, external_key text, description text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(name) = char_length(name)
     AND octet_length(external_key) = char_length(external_key)
     AND octet_length(coalesce(description, '')) = char_length(coalesce(description, ''))
    THEN lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "C")
    ELSE translate(
      lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "und-x-icu"), 'ς', 'σ'
    ) COLLATE "C"
  END;

-- Connections keep the definitions of index expressions. Analyzing a table makes them read these again.
ANALYZE assets, locations, tags;
