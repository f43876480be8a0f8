-- Returns the slot number of a key such as `ASSET-0042`, or null if the key has another form. The number is at least 1
-- and has four to 15 digits. More than four digits have no leading zero.
CREATE OR REPLACE FUNCTION key_slot(prefix text, external_key text) RETURNS bigint
  LANGUAGE sql IMMUTABLE PARALLEL SAFE STRICT
  RETURN CASE
    WHEN external_key ~ ('^' || prefix || '([0-9]{4}|[1-9][0-9]{4,14})$') AND external_key <> prefix || '0000'
    THEN substr(external_key, length(prefix) + 1)::bigint
  END;
