-- Trigger on `assets` and `locations`, after each statement. Arguments: the kind and the prefix of the keys. Updates
-- the free ranges from the rows that the statement changed. Only live rows occupy slots. Old and new rows are grouped
-- instead of joined: a join planned for one row would compare all pairs of a bulk change.
CREATE OR REPLACE FUNCTION keep_key_slots() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- An import has taken its slots before it inserts the rows.
    IF current_setting('whereabouts.keys_reserved', true) = 'on' THEN
      RETURN NULL;
    END IF;
    PERFORM take_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM new_rows WHERE deleted_at IS NULL) taken
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM give_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM old_rows WHERE deleted_at IS NULL) given
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  ELSIF EXISTS (
    SELECT FROM (SELECT id, external_key, deleted_at IS NULL AS is_live FROM old_rows
                 UNION ALL
                 SELECT id, external_key, deleted_at IS NULL FROM new_rows) versions
     GROUP BY id
    HAVING min(external_key) <> max(external_key) OR bool_or(is_live) <> bool_and(is_live)
  ) THEN
    PERFORM give_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM old_rows WHERE deleted_at IS NULL
             EXCEPT
             SELECT org_id, key_slot(TG_ARGV[1], external_key) FROM new_rows WHERE deleted_at IS NULL) given
      WHERE slot IS NOT NULL
      GROUP BY org_id;
    PERFORM take_key_slots(org_id, TG_ARGV[0], array_agg(slot))
       FROM (SELECT org_id, key_slot(TG_ARGV[1], external_key) AS slot FROM new_rows WHERE deleted_at IS NULL
             EXCEPT
             SELECT org_id, key_slot(TG_ARGV[1], external_key) FROM old_rows WHERE deleted_at IS NULL) taken
      WHERE slot IS NOT NULL
      GROUP BY org_id;
  END IF;
  RETURN NULL;
END
$$;
