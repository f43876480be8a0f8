-- Returns the text in which a search for an asset or a location looks: name, key and description, with their case
-- folded as `fold_case` does. The unit separator (U+001F) stands between the three. None of them can contain it, so no
-- match spans two fields.
--
-- The indexes `assets_search` and `locations_search` hold results of this function. A migration that changes them must
-- rebuild both indexes.
CREATE OR REPLACE FUNCTION search_text(name text, external_key text, description text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN translate(
    lower((name || E'\x1f' || external_key || E'\x1f' || coalesce(description, '')) COLLATE "und-x-icu"), 'ς', 'σ'
  ) COLLATE "C";
