-- Returns the lowest free slots of a series, and locks the series until the end of the transaction: first slots that
-- were freed, then slots from the hint on that neither a live row nor an import has. Moves the hint to the first free
-- slot after them. The caller stores each slot in the same transaction, as the key of a row or in `freed_keys`.
--
-- The function must stay volatile, so that each statement has a newer snapshot, with everything that the previous
-- holder of the lock committed. Slots are looked up in growing batches. Each lookup is planned again, so that a plan
-- from when the tables were small does not read all rows for each slot.
CREATE OR REPLACE FUNCTION next_free_slots(owner int, series text, wanted int) RETURNS bigint[] VOLATILE
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  hint bigint := lock_key_hint(owner, series);
  freed bigint[];
  fresh bigint[] := '{}';
  batch bigint := 1;
  keys text[];
  taken bigint[];
BEGIN
  freed := ARRAY(
    SELECT slot
      FROM freed_keys
     WHERE org_id = owner AND kind = series AND slot < hint AND lease_token IS NULL
     ORDER BY slot
     LIMIT wanted);
  wanted := wanted - cardinality(freed);
  WHILE cardinality(fresh) <= wanted LOOP
    batch := least(batch * 4, greatest(wanted, 262144));
    keys := ARRAY(SELECT slot_key(series, slot) FROM generate_series(hint, hint + batch - 1) AS numbers (slot));
    IF series = 'asset' THEN
      taken := ARRAY(
        SELECT key_slot('ASSET-', external_key) FROM assets
         WHERE org_id = owner AND external_key = ANY (keys) AND deleted_at IS NULL);
    ELSE
      taken := ARRAY(
        SELECT key_slot('LOC-', external_key) FROM locations
         WHERE org_id = owner AND external_key = ANY (keys) AND deleted_at IS NULL);
    END IF;
    fresh := fresh || ARRAY(
      SELECT slot FROM generate_series(hint, hint + batch - 1) AS numbers (slot)
      EXCEPT
      SELECT unnest(taken)
      EXCEPT
      SELECT slot
        FROM freed_keys
       WHERE org_id = owner AND kind = series AND slot >= hint AND slot < hint + batch AND lease_token IS NOT NULL
       ORDER BY slot);
    hint := hint + batch;
  END LOOP;
  UPDATE key_hints SET next_slot = fresh[wanted + 1] WHERE org_id = owner AND kind = series;
  RETURN freed || fresh[:wanted];
END
$$;
