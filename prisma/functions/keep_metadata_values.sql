-- Trigger on `assets`, after each statement. Keeps `metadata_values` equal to the custom details of the live assets.
-- Old and new rows are joined by hash, because the connection keeps the plan, which may have been made for a statement
-- with one row.
CREATE OR REPLACE FUNCTION keep_metadata_values() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off AS $$
DECLARE
  gone metadata_values%ROWTYPE;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO metadata_values (org_id, key, value, asset_id)
    SELECT n.org_id, f.key, f.value, n.id
      FROM new_rows n
     CROSS JOIN LATERAL metadata_fields(n.metadata) f
     WHERE n.deleted_at IS NULL AND n.metadata::text <> '{}'
    ON CONFLICT DO NOTHING;
  ELSE
    FOR gone IN
      SELECT o.org_id, f.key, f.value, o.id
        FROM old_rows o
        JOIN new_rows n ON n.id = o.id
       CROSS JOIN LATERAL (
         SELECT w.key, w.value FROM metadata_fields(o.metadata) w
         EXCEPT
         SELECT w.key, w.value FROM metadata_fields(n.metadata) w WHERE n.deleted_at IS NULL
       ) f
       WHERE o.deleted_at IS NULL AND (n.deleted_at IS NOT NULL OR n.metadata::text <> o.metadata::text)
    LOOP
      DELETE FROM metadata_values v
       WHERE v.org_id = gone.org_id AND v.key = gone.key AND v.value = gone.value AND v.asset_id = gone.asset_id;
    END LOOP;
    INSERT INTO metadata_values (org_id, key, value, asset_id)
    SELECT n.org_id, f.key, f.value, n.id
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL metadata_fields(n.metadata) f
     WHERE n.deleted_at IS NULL AND (o.deleted_at IS NOT NULL OR n.metadata::text <> o.metadata::text)
    ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
