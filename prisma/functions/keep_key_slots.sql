-- Trigger on `assets` and `locations`, after each statement. Arguments: the kind and the prefix of the keys. Updates
-- the free ranges from the rows that the statement changed. Only live rows occupy slots.
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
    SELECT FROM old_rows o JOIN new_rows n USING (id)
     WHERE o.external_key <> n.external_key OR (o.deleted_at IS NULL) <> (n.deleted_at IS NULL)
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
