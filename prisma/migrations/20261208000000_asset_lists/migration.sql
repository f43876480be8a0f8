-- Locks: SHARE ROW EXCLUSIVE on assets for the new triggers, ACCESS EXCLUSIVE on position_listings and import_rows for the new
-- columns, each for milliseconds: no row is read or written. The new tables reference organizations and memberships, which
-- takes SHARE ROW EXCLUSIVE on them for as long.

-- The custom details of live assets, one row for each; triggers keep it. Lists are filtered by it, and it tells which keys and
-- values are in use. It references nothing: an import writes hundreds of thousands of rows.
CREATE TABLE metadata_values (
  org_id INTEGER NOT NULL,
  key TEXT COLLATE "C" NOT NULL,
  value TEXT COLLATE "C" NOT NULL,
  asset_id INTEGER NOT NULL,
  PRIMARY KEY (org_id, key, value, asset_id)
);

-- Returns the custom details of an asset that lists can be filtered by: the first 50 members of the object whose value is a
-- text, a number or a boolean, with keys of at most 100 characters. Values are cut to 200 characters.
CREATE OR REPLACE FUNCTION metadata_fields(metadata json) RETURNS TABLE (key text, value text) LANGUAGE sql IMMUTABLE
  PARALLEL SAFE ROWS 5 AS $$
  SELECT member.key, left(member.value #>> '{}', 200)
    FROM json_each(CASE WHEN json_typeof($1) = 'object' THEN $1 ELSE '{}' END) WITH ORDINALITY AS member (key, value, place)
   WHERE member.place <= 50
     AND json_typeof(member.value) IN ('string', 'number', 'boolean')
     AND char_length(member.key) BETWEEN 1 AND 100
$$;

-- Trigger on `assets`, after each statement. Keeps `metadata_values` equal to the custom details of the live assets. Old and
-- new rows are joined by hash: the plan is kept for the connection, and may come from a statement of one row.
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
  ELSIF TG_OP = 'DELETE' THEN
    FOR gone IN
      SELECT o.org_id, f.key, f.value, o.id
        FROM old_rows o
       CROSS JOIN LATERAL metadata_fields(o.metadata) f
       WHERE o.deleted_at IS NULL AND o.metadata::text <> '{}'
    LOOP
      DELETE FROM metadata_values v
       WHERE v.org_id = gone.org_id AND v.key = gone.key AND v.value = gone.value AND v.asset_id = gone.asset_id;
    END LOOP;
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

-- Returns metadata with the members of `given` set, and without those whose key is in `removed`. The order of the other
-- members and their text stay. A removed key that is also given is set.
CREATE OR REPLACE FUNCTION changed_metadata(metadata json, given json, removed text[]) RETURNS json LANGUAGE sql IMMUTABLE
  PARALLEL SAFE AS $$
  SELECT coalesce(('{' || string_agg(to_json(member.key) || ':' || member.value::text, ',' ORDER BY member.place) || '}')::json, '{}')
    FROM (
      SELECT m.key, coalesce(g.value, m.value) AS value, m.place
        FROM json_each($1) WITH ORDINALITY AS m (key, value, place)
        LEFT JOIN json_each($2) AS g ON g.key = m.key
       WHERE g.key IS NOT NULL OR NOT m.key = ANY($3)
      UNION ALL
      SELECT g.key, g.value, 1000000000 + g.place
        FROM json_each($2) WITH ORDINALITY AS g (key, value, place)
       WHERE NOT EXISTS (SELECT FROM json_each($1) AS m WHERE m.key = g.key)
    ) member
$$;

CREATE TRIGGER keep_metadata_values_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_metadata_values_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();
CREATE TRIGGER keep_metadata_values_delete AFTER DELETE ON assets REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION keep_metadata_values();

-- The reader that saw the asset last, as of its slot; null for a handheld.
ALTER TABLE position_listings ADD COLUMN reader_id INTEGER;

-- Trigger on `asset_positions`, after each insertion. Inserts the listing of every new position. Its slot is the time at
-- which the asset was last seen, in steps of ten seconds. Rows are inserted in the order of the asset ids, which prevents
-- deadlocks.
CREATE OR REPLACE FUNCTION list_new_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO position_listings (org_id, asset_id, location_id, located_since, seen_slot, reader_id)
  SELECT n.org_id, n.asset_id, n.location_id, n.located_since, floor(date_part('epoch', n.asset_last_seen) / 10)::int,
         n.reader_id
    FROM new_rows n
   ORDER BY n.asset_id;
  RETURN NULL;
END
$$;

-- Filters, order and columns of a list under a name: a person's own, or shared by the organization.
CREATE TABLE saved_views (
  id SERIAL PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  -- Null where it is shared.
  owner_id INTEGER,
  name TEXT COLLATE "C" NOT NULL,
  -- The query of the page's address.
  query TEXT NOT NULL,
  columns TEXT[] NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  updated_at TIMESTAMPTZ(3) NOT NULL DEFAULT now(),
  FOREIGN KEY (org_id, owner_id) REFERENCES memberships (org_id, user_id) ON DELETE CASCADE ON UPDATE NO ACTION
);
CREATE UNIQUE INDEX saved_views_name ON saved_views (org_id, owner_id, name) NULLS NOT DISTINCT;

-- Changes of many assets at once, which can be undone for a day.
CREATE TABLE bulk_edits (
  id UUID PRIMARY KEY,
  org_id INTEGER NOT NULL REFERENCES organizations (id) ON DELETE CASCADE ON UPDATE NO ACTION,
  -- `user:` and an id, as in the activity log.
  actor TEXT NOT NULL,
  fields TEXT[] NOT NULL,
  created_at TIMESTAMPTZ(3) NOT NULL,
  asset_count INTEGER NOT NULL,
  undone_at TIMESTAMPTZ(3),
  restored_count INTEGER,
  UNIQUE (org_id, id)
);
CREATE INDEX bulk_edits_recent ON bulk_edits (org_id, created_at DESC);
CREATE INDEX bulk_edits_created_at ON bulk_edits (created_at);

-- What each asset had before, of the fields that the edit changed; the others are null.
CREATE TABLE bulk_edit_rows (
  org_id INTEGER NOT NULL,
  edit_id UUID NOT NULL,
  asset_id INTEGER NOT NULL,
  -- The asset's version after the edit. One that has another by now is not restored.
  updated_at TIMESTAMPTZ(3) NOT NULL,
  description TEXT COLLATE "C",
  is_active BOOLEAN,
  metadata JSON,
  valid_from TIMESTAMPTZ(3),
  valid_to TIMESTAMPTZ(3),
  PRIMARY KEY (edit_id, asset_id),
  FOREIGN KEY (org_id, edit_id) REFERENCES bulk_edits (org_id, id) ON DELETE CASCADE ON UPDATE NO ACTION
);

-- Whether the check found that the row would change what is stored under its key.
ALTER TABLE import_rows ADD COLUMN is_change BOOLEAN NOT NULL DEFAULT false;
