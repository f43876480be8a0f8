-- Returns the lowest free key of a series, `asset` or `location`, and locks the series until the end of the transaction.
-- The caller inserts the row in the same statement.
CREATE OR REPLACE FUNCTION mint_key(owner int, series text) RETURNS text VOLATILE LANGUAGE plpgsql AS $$
BEGIN
  RETURN slot_key(series, (next_free_slots(owner, series, 1))[1]);
END
$$;
