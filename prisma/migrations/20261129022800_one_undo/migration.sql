-- One record of changes that were made together, by which all of them are undone.
--
-- Locks: each table exclusively until the migration ends. The index reads the whole activity log.

ALTER TABLE activity_log RENAME COLUMN import_id TO batch_id;
CREATE INDEX activity_log_batch ON activity_log (org_id, batch_id, occurred_at, id) WHERE batch_id IS NOT NULL;

CREATE TABLE change_batches (
  org_id integer NOT NULL,
  id uuid NOT NULL,
  kind text COLLATE "C" NOT NULL,
  object_kind text COLLATE "C" NOT NULL,
  fields text[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  count integer NOT NULL,
  entry_id bigint NOT NULL,
  undone_at timestamptz(3),
  CONSTRAINT change_batches_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT change_batches_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);
CREATE INDEX change_batches_created_at ON change_batches (created_at);

DROP TABLE bulk_edit_rows;
DROP TABLE bulk_edits;
ALTER TABLE imports DROP COLUMN undone_at;

-- Trigger on `assets` and `locations`, after each statement that inserts or updates. The arguments are `asset` or
-- `location`, and the columns that refer to other rows. No field is named here. An accepted change has another
-- `updated_at`.
--
-- Writes one entry of `activity_log` for each row that was created, changed, deleted or restored; an update that changes no
-- field writes no entry. `before` and `after` hold the columns that differ, and the names of a reference that differs, as
-- they are now. The setting `whereabouts.author` names the author: the entry point, the actor and a batch, separated by
-- spaces.
--
-- In organizations that asked for that type of event, also writes an event for each row, and adds a job that delivers them.
-- A restored row is an event like a created one, since receivers have been notified of its deletion. An event keeps the
-- columns before and after, with the tags and the keys of the rows that they refer to. The service makes the public views
-- from these, and leaves out a change that no view shows.
--
-- The connection keeps a plan, which may have been made for a statement with one row. Without nested loops the plan does
-- not compare 100,000 rows with each other. Without sequential scans it does not read all tags for each row.
CREATE OR REPLACE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off
  SET enable_seqscan = off SET timezone = 'UTC' AS $$
DECLARE
  noun text := TG_ARGV[0];
  refs text[] := TG_ARGV[1:];
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
  recorded bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), noun, n.id::text, n.name, 'created',
           coalesce(author[1], 'system'), author[2], author[3]::uuid, w.facts
      FROM new_rows n
     CROSS JOIN LATERAL (SELECT to_json(n) AS after OFFSET 0) v
     CROSS JOIN LATERAL whole_facts(noun, v.after) w
     WHERE n.deleted_at IS NULL;
  ELSE
    INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
    SELECT n.org_id, date_trunc('milliseconds', clock_timestamp()), noun, n.id::text, n.name,
           CASE WHEN o.deleted_at IS NOT NULL THEN 'restored' WHEN n.deleted_at IS NULL THEN 'updated' ELSE 'deleted' END,
           coalesce(author[1], 'system'), author[2], author[3]::uuid,
           CASE WHEN n.deleted_at IS NOT NULL THEN (SELECT w.facts FROM whole_facts(noun, v.before) w)
                WHEN c.before IS NOT NULL THEN json_build_object('row', c.before, 'names', CASE WHEN c.refers THEN (SELECT m.names FROM names_of(noun, n.org_id, c.before) m) END) END,
           CASE WHEN n.deleted_at IS NULL AND c.after IS NOT NULL THEN json_build_object('row', c.after, 'names', CASE WHEN c.refers THEN (SELECT m.names FROM names_of(noun, n.org_id, c.after) m) END) END
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
     CROSS JOIN LATERAL (SELECT to_json(o) AS before, to_json(n) AS after OFFSET 0) v
     CROSS JOIN LATERAL (
       SELECT json_object_agg(d.key, d.old) AS before, json_object_agg(d.key, d.new) AS after, bool_or(d.key = ANY (refs)) AS refers
         FROM changed_columns(v.before, v.after) d
     ) c
     WHERE ((o.deleted_at IS NULL) <> (n.deleted_at IS NULL) OR o.deleted_at IS NULL AND n.updated_at <> o.updated_at)
       AND (c.before IS NOT NULL OR (o.deleted_at IS NULL) <> (n.deleted_at IS NULL));
  END IF;
  IF NOT EXISTS (
    SELECT FROM event_interests i
     WHERE i.org_id IN (SELECT n.org_id FROM new_rows n)
       AND i.types && ARRAY[noun || '.created', noun || '.updated', noun || '.deleted']
  ) THEN
    RETURN NULL;
  END IF;
  IF TG_OP = 'INSERT' THEN
    INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
    SELECT n.org_id, i.type, n.created_at,
           CASE noun WHEN 'asset' THEN n.id END, CASE noun WHEN 'location' THEN n.id END,
           json_build_object('before', NULL, 'after', json_build_object('row', n, 'tags', t.tags, 'keys', r.keys))
      FROM new_rows n
      JOIN (SELECT e.org_id, unnest(e.types) AS type FROM event_interests e) i
        ON i.org_id = n.org_id AND i.type = noun || '.created'
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id + 0), '[]') AS tags
         FROM tags_of(noun, n.org_id, n.id) g
     ) t
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, n.org_id, to_json(n)) f
     ) r;
  ELSE
    INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
    SELECT n.org_id, i.type, coalesce(n.deleted_at, n.updated_at),
           CASE noun WHEN 'asset' THEN n.id END, CASE noun WHEN 'location' THEN n.id END,
           json_build_object('before', CASE WHEN o.deleted_at IS NULL THEN json_build_object('row', o, 'tags', t.tags, 'keys', b.keys) END,
                             'after', CASE WHEN n.deleted_at IS NULL THEN json_build_object('row', n, 'tags', t.tags, 'keys', a.keys) END)
      FROM new_rows n
      JOIN old_rows o ON o.id = n.id
      JOIN (SELECT e.org_id, unnest(e.types) AS type FROM event_interests e) i
        ON i.org_id = n.org_id
       AND i.type = noun || CASE WHEN o.deleted_at IS NOT NULL THEN '.created' WHEN n.deleted_at IS NULL THEN '.updated'
                                 ELSE '.deleted' END
     CROSS JOIN LATERAL (
       SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id + 0), '[]') AS tags
         FROM tags_of(noun, n.org_id, n.id) g
     ) t
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, n.org_id, to_json(o)) f
     ) b
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, n.org_id, to_json(n)) f
     ) a
     WHERE (o.deleted_at IS NULL) <> (n.deleted_at IS NULL)
        OR o.deleted_at IS NULL AND n.updated_at <> o.updated_at;
  END IF;
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;

-- Trigger on `tags`, after each statement that attaches or detaches tags. Writes one entry of `activity_log` for each tag, as
-- a change of the asset or location that it is attached to. Tags of a row that the same transaction created belong to the
-- entry of that row: its version is from this transaction, and it was never updated.
--
-- In organizations that asked for it, also writes `asset.updated` or `location.updated` for each live parent, with its tags
-- before and after. A parent that the same transaction wrote has an event of that with the tags.
--
-- `+ 0` makes the planner use the primary keys, which begin with the id. Without statistics it would consider any index that
-- begins with the organization equally good.
CREATE OR REPLACE FUNCTION record_tag_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off
  SET timezone = 'UTC' AS $$
DECLARE
  author text[] := string_to_array(nullif(current_setting('whereabouts.author', true), ''), ' ');
  recorded bigint;
BEGIN
  INSERT INTO activity_log (org_id, occurred_at, kind, object_id, object_name, action, entry_point, actor, batch_id, before, after)
  SELECT t.org_id, date_trunc('milliseconds', clock_timestamp()), p.noun, p.id::text, p.name,
         CASE TG_OP WHEN 'INSERT' THEN 'tag_attached' ELSE 'tag_detached' END,
         coalesce(author[1], 'system'), author[2], author[3]::uuid,
         CASE TG_OP WHEN 'DELETE' THEN json_build_object('tag', t.tag_type || ':' || t.value) END,
         CASE TG_OP WHEN 'INSERT' THEN json_build_object('tag', t.tag_type || ':' || t.value) END
    FROM changed_rows t
   CROSS JOIN LATERAL (
     SELECT 'asset' AS noun, a.id, a.name
       FROM assets a
      WHERE a.id = t.asset_id AND a.org_id + 0 = t.org_id
        AND NOT (a.xmin = pg_current_xact_id()::xid AND a.updated_at = a.created_at)
     UNION ALL
     SELECT 'location', l.id, l.name
       FROM locations l
      WHERE l.id = t.location_id AND l.org_id + 0 = t.org_id
        AND NOT (l.xmin = pg_current_xact_id()::xid AND l.updated_at = l.created_at)
      LIMIT 1
   ) p
   WHERE t.deleted_at IS NULL;
  INSERT INTO outbox_events (org_id, type, occurred_at, asset_id, location_id, data)
  SELECT c.org_id, p.noun || '.updated', clock_timestamp(), c.asset_id, c.location_id,
         json_build_object(
           'before', json_build_object('row', p.version, 'tags', CASE TG_OP WHEN 'INSERT' THEN t.rest ELSE t.all_tags END, 'keys', k.keys),
           'after', json_build_object('row', p.version, 'tags', CASE TG_OP WHEN 'INSERT' THEN t.all_tags ELSE t.rest END, 'keys', k.keys))
    FROM (SELECT DISTINCT r.org_id, r.asset_id, r.location_id FROM changed_rows r) c
    JOIN event_interests i ON i.org_id = c.org_id AND i.types && ARRAY['asset.updated', 'location.updated']
   CROSS JOIN LATERAL (
     SELECT 'asset' AS noun, a.id, to_json(a) AS version
       FROM assets a
      WHERE a.id = c.asset_id AND a.org_id + 0 = c.org_id AND a.deleted_at IS NULL AND a.xmin <> pg_current_xact_id()::xid
     UNION ALL
     SELECT 'location', l.id, to_json(l)
       FROM locations l
      WHERE l.id = c.location_id AND l.org_id + 0 = c.org_id AND l.deleted_at IS NULL AND l.xmin <> pg_current_xact_id()::xid
   ) p
   CROSS JOIN LATERAL (
     SELECT coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id), '[]') AS all_tags,
            coalesce(json_agg(json_build_object('id', g.id, 'tag_type', g.tag_type, 'value', g.value) ORDER BY g.id)
                     FILTER (WHERE NOT g.is_changed), '[]') AS rest
       FROM (SELECT r.id, r.tag_type, r.value, r.id IN (SELECT x.id FROM changed_rows x) AS is_changed
               FROM tags_of(p.noun, c.org_id, p.id) r
             UNION ALL
             SELECT r.id, r.tag_type, r.value, true
               FROM changed_rows r
              WHERE TG_OP = 'DELETE' AND r.org_id = c.org_id
                AND (r.asset_id, r.location_id) IS NOT DISTINCT FROM (c.asset_id, c.location_id)) g
   ) t
   CROSS JOIN LATERAL (
     SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(p.noun, c.org_id, p.version) f
   ) k
   WHERE p.noun || '.updated' = ANY (i.types);
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;
