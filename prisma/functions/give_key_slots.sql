-- Returns slots to the free ranges of a series and merges adjacent ranges. None of the slots may be free already. The
-- caller holds the lock of the key series.
CREATE OR REPLACE FUNCTION give_key_slots(owner int, series text, slots bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH given AS (
    SELECT DISTINCT unnest(slots) AS slot
  ), islands AS (
    SELECT min(slot) AS first_slot, max(slot) AS last_slot
      FROM (SELECT slot, slot - row_number() OVER (ORDER BY slot) AS island FROM given) numbered
     GROUP BY island
  ), touching AS (
    DELETE FROM free_key_slots f
     WHERE f.org_id = owner
       AND f.kind = series
       AND f.last_slot IN (
         SELECT first_slot - 1 FROM islands
         UNION ALL
         SELECT (SELECT min(g.last_slot) FROM free_key_slots g
                  WHERE g.org_id = owner AND g.kind = series AND g.last_slot > islands.last_slot)
           FROM islands)
    RETURNING f.first_slot, f.last_slot
  ), pieces AS (
    SELECT first_slot, last_slot FROM islands
    UNION ALL
    SELECT first_slot, last_slot FROM touching
  ), marked AS (
    SELECT first_slot, last_slot,
           (first_slot IS DISTINCT FROM lag(last_slot) OVER (ORDER BY first_slot) + 1)::int AS starts
      FROM pieces
  ), runs AS (
    SELECT first_slot, last_slot, sum(starts) OVER (ORDER BY first_slot) AS run FROM marked
  )
  INSERT INTO free_key_slots (org_id, kind, first_slot, last_slot)
  SELECT owner, series, min(first_slot), max(last_slot)
    FROM runs
   GROUP BY run;
END
$$;
