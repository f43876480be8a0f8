-- Returns the text in which a search for an asset or a location looks: name, key and description, folded as `fold_case`
-- does. The unit separator (U+001F) is between the three fields. No field can contain it, so no match spans two fields.
--
-- The indexes of `search_grams` hold results of this function. A migration that changes them must rebuild
-- these indexes.
--
-- Texts of ASCII characters alone are folded without ICU, with the same result in half of the time.
CREATE OR REPLACE FUNCTION search_text(name text, external_key text, description text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(name) = char_length(name)
     AND octet_length(external_key) = char_length(external_key)
     AND octet_length(coalesce(description, '')) = char_length(coalesce(description, ''))
    THEN lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "C")
    ELSE fold_case(name || E'\x1f' || external_key || E'\x1f' || coalesce(description, ''))
  END;
