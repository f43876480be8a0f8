-- Returns the lowest free slots of a series, which it locks until the end of the transaction: first slots that were
-- freed, then slots from the hint on that neither a live row nor an import has. Moves the hint to the first free slot
-- behind them. The caller stores each slot in the same transaction, as the key of a row or in `freed_keys`.
--
-- The function must stay volatile: then each statement has a newer snapshot, which contains what the previous holder of
-- the lock committed. Plans are kept for the connection, and may come from empty tables: only the unique index has the
-- order of the key, so the planner cannot choose another index, of which it would read all rows of the organization.
CREATE OR REPLACE FUNCTION next_free_slots(owner int, series text, wanted int) RETURNS bigint[] VOLATILE
  LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  hint bigint := lock_key_hint(owner, series);
  freed bigint[];
  fresh bigint[];
BEGIN
  freed := ARRAY(
    SELECT slot
      FROM freed_keys
     WHERE org_id = owner AND kind = series AND slot < hint AND lease_token IS NULL
     ORDER BY slot
     LIMIT wanted);
  wanted := wanted - cardinality(freed);
  fresh := ARRAY(
    SELECT slot
      FROM (SELECT slot, slot_key(series, slot) AS key
              FROM (SELECT generate_series(hint, 999999999999999) AS slot) numbers
            OFFSET 0) s
     WHERE (CASE series
              WHEN 'asset' THEN (SELECT true FROM assets
                                  WHERE org_id = owner AND external_key BETWEEN s.key AND s.key AND deleted_at IS NULL
                                  ORDER BY external_key LIMIT 1)
              WHEN 'location' THEN (SELECT true FROM locations
                                     WHERE org_id = owner AND external_key BETWEEN s.key AND s.key AND deleted_at IS NULL
                                     ORDER BY external_key LIMIT 1)
            END
            OR (SELECT lease_token FROM freed_keys f
                 WHERE f.org_id = owner AND f.kind = series AND f.slot = s.slot) IS NOT NULL) IS NOT TRUE
     LIMIT wanted + 1);
  UPDATE key_hints SET next_slot = fresh[wanted + 1] WHERE org_id = owner AND kind = series;
  RETURN freed || fresh[:wanted];
END
$$;
