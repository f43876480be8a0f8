-- What readers sent, minute by minute, and what an organisation read, in slots of ten minutes. Both are counted beside
-- ingestion and kept for a time only.
CREATE TABLE reader_minutes (
  org_id integer NOT NULL,
  reader_id integer NOT NULL,
  minute timestamptz(3) NOT NULL,
  messages integer NOT NULL,
  reads integer NOT NULL,
  rejected integer NOT NULL,
  CONSTRAINT reader_minutes_pkey PRIMARY KEY (org_id, reader_id, minute),
  CONSTRAINT reader_minutes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 60);

CREATE INDEX reader_minutes_minute_idx ON reader_minutes (minute);
CREATE INDEX reader_minutes_rejected ON reader_minutes (org_id, minute) INCLUDE (reader_id, rejected) WHERE rejected > 0;

CREATE TABLE read_counts (
  org_id integer NOT NULL,
  slot timestamptz(3) NOT NULL,
  reads bigint NOT NULL,
  CONSTRAINT read_counts_pkey PRIMARY KEY (org_id, slot),
  CONSTRAINT read_counts_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE CASCADE
) WITH (fillfactor = 60);

-- The format that understands what the one set for a reader rejected.
ALTER TABLE readers
  ADD COLUMN recognized_format text COLLATE "C",
  ADD COLUMN recognized_at timestamptz(3);

-- The rejected messages of one reader, latest first.
CREATE INDEX rejected_messages_reader ON rejected_messages (org_id, reader_id, received_at DESC, id);

-- Whatever gets a tag attached is unknown no longer, whoever attaches it. Rows that ingestion is just counting are left:
-- waiting for them in another order than ingestion takes them could end in a knot.
CREATE FUNCTION forget_known_tags() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM new_rows) THEN
    RETURN NULL;
  END IF;
  DELETE FROM unknown_tags
   WHERE id IN (
     SELECT u.id
       FROM new_rows n
       JOIN unknown_tags u
         ON u.org_id = n.org_id
        AND u.tag_type = n.tag_type
        AND u.value = ANY (ARRAY[n.value, tag_normal_form(n.tag_type, n.value), lower(n.value)])
        FOR UPDATE OF u SKIP LOCKED);
  DELETE FROM unknown_tags
   WHERE id IN (
     SELECT u.id
       FROM new_rows n
       JOIN unknown_tags u
         ON u.org_id = n.org_id
        AND u.tag_type IS NULL
        AND u.value = ANY (ARRAY[n.value, tag_normal_form(n.tag_type, n.value), lower(n.value)])
        FOR UPDATE OF u SKIP LOCKED);
  RETURN NULL;
END
$$;

CREATE TRIGGER forget_known_tags AFTER INSERT ON tags REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION forget_known_tags();
