-- Returns the key of a slot of a series, `asset` or `location`, such as `ASSET-0042`. The inverse of `key_slot`.
CREATE OR REPLACE FUNCTION slot_key(series text, slot bigint) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE series WHEN 'asset' THEN 'ASSET-' WHEN 'location' THEN 'LOC-' END
         || lpad(slot::text, greatest(4, length(slot::text)), '0');
