-- Removes slots from the free ranges of a series: shortens, splits or deletes the ranges that contain them. Slots that
-- are not free are ignored. The caller holds the lock of the key series.
CREATE OR REPLACE FUNCTION take_key_slots(owner int, series text, slots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF cardinality(slots) = 1 THEN
    -- The usual case, the lowest slot of a range: the row's key stays, so the update is a cheap one.
    UPDATE free_key_slots
       SET first_slot = first_slot + 1
     WHERE org_id = owner
       AND kind = series
       AND last_slot = (SELECT min(last_slot) FROM free_key_slots
                         WHERE org_id = owner AND kind = series AND last_slot >= slots[1])
       AND first_slot = slots[1]
       AND last_slot > slots[1];
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  WITH taken AS (
    SELECT DISTINCT unnest(slots) AS slot
  ), hit AS (
    DELETE FROM free_key_slots f
     WHERE f.org_id = owner
       AND f.kind = series
       AND f.last_slot IN (
         SELECT (SELECT min(g.last_slot) FROM free_key_slots g
                  WHERE g.org_id = owner AND g.kind = series AND g.last_slot >= taken.slot)
           FROM taken)
    RETURNING f.first_slot, f.last_slot
  ), cuts AS (
    SELECT h.first_slot, h.last_slot, t.slot,
           lag(t.slot) OVER (PARTITION BY h.last_slot ORDER BY t.slot) AS previous,
           lead(t.slot) OVER (PARTITION BY h.last_slot ORDER BY t.slot) AS following
      FROM hit h
      LEFT JOIN taken t ON t.slot BETWEEN h.first_slot AND h.last_slot
  )
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  SELECT owner, series, coalesce(previous + 1, first_slot), coalesce(slot - 1, last_slot)
    FROM cuts
   WHERE coalesce(previous + 1, first_slot) <= coalesce(slot - 1, last_slot)
  UNION ALL
  SELECT owner, series, slot + 1, last_slot
    FROM cuts
   WHERE following IS NULL
     AND slot + 1 <= last_slot;
END
$$;
