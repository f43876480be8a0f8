-- Trigger on `tags`, after each insertion or update. Deletes the unknown tags that new and restored tags identify: as
-- stored, in normal form and in lower case. Rows that another transaction has locked are skipped. Ingestion locks such rows in another
-- order, so waiting for them could end in a deadlock.
--
-- Each lookup uses a key of `unknown_tags`, whatever the statistics of the table are. An import attaches tens of
-- thousands of tags in one statement, and the plan may have been made for a single tag.
CREATE OR REPLACE FUNCTION forget_known_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows WHERE deleted_at IS NULL) THEN
    RETURN NULL;
  END IF;
  DELETE FROM unknown_tags
   WHERE id IN (
     SELECT u.id
       FROM unknown_tags u
      WHERE u.id = ANY (ARRAY(
        SELECT m.id
          FROM new_rows n
         CROSS JOIN LATERAL (
           SELECT DISTINCT w.value
             FROM (VALUES (n.value COLLATE "C"), (tag_normal_form(n.tag_type, n.value) COLLATE "C"), (lower(n.value) COLLATE "C"))
                  AS w (value)
         ) way
         CROSS JOIN LATERAL (
           SELECT t.id
             FROM unknown_tags t
            WHERE n.deleted_at IS NULL AND t.org_id = n.org_id AND t.tag_type = n.tag_type AND t.value = way.value
           UNION ALL
           SELECT t.id
             FROM unknown_tags t
            WHERE n.deleted_at IS NULL AND t.org_id = n.org_id AND t.tag_type IS NULL AND t.value = way.value
           OFFSET 0
         ) m))
      ORDER BY u.id
        FOR UPDATE SKIP LOCKED);
  RETURN NULL;
END
$$;
