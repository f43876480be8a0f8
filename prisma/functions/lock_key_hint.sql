-- Returns the hint of a key series, `asset` or `location`, and locks the series until the end of the transaction. Each
-- slot below the hint has a live row, or a row in `freed_keys`.
CREATE OR REPLACE FUNCTION lock_key_hint(owner int, series text) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO key_hints (org_id, kind)
  VALUES (owner, series)
  ON CONFLICT (org_id, kind) DO UPDATE SET next_slot = key_hints.next_slot
  RETURNING next_slot
$$;
