-- Returns the normal form of a tag value: upper case and, for the type `ble`, without colons and dashes, because people
-- type MAC addresses with them. A read that equals no stored value is compared by this form.
--
-- The index `tags_live_normal_form` holds results of this function. A migration that changes them must rebuild that
-- index.
CREATE OR REPLACE FUNCTION tag_normal_form(tag_type text, value text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE WHEN $1 = 'ble' THEN upper(translate($2, ':-', '') COLLATE "C") ELSE upper($2 COLLATE "C") END;
