-- Locks: SHARE ROW EXCLUSIVE and ACCESS EXCLUSIVE on assets, locations and tags, for milliseconds: no row is read or
-- written. ROW EXCLUSIVE on outbox_events, which has the events that are not routed yet.
DROP TRIGGER record_created_assets ON assets;
DROP TRIGGER record_changed_assets ON assets;
DROP TRIGGER record_created_locations ON locations;
DROP TRIGGER record_changed_locations ON locations;
DROP TRIGGER record_attached_tags ON tags;
DROP TRIGGER record_detached_tags ON tags;

DROP FUNCTION asset_event_view(assets,json);
DROP FUNCTION location_event_view(locations,json);
DROP FUNCTION record_asset_events();
DROP FUNCTION record_location_events();
DROP FUNCTION record_tag_events();

-- Returns the names and keys of the rows that a row refers to, as they are now: the kind of an asset, the parent of a
-- location. `version` is a version of the row as JSON.
CREATE OR REPLACE FUNCTION references_of(noun text, version json)
  RETURNS TABLE (label text, name text, external_key text) LANGUAGE sql STABLE AS $$
  SELECT 'kind', k.name, NULL
    FROM asset_kinds k
   WHERE $1 = 'asset' AND k.org_id = ($2 ->> 'org_id')::int AND k.id = ($2 ->> 'kind_id')::int
  UNION ALL
  SELECT 'parent', l.name, l.external_key
    FROM locations l
   WHERE $1 = 'location' AND l.org_id = ($2 ->> 'org_id')::int AND l.id = ($2 ->> 'parent_id')::int
$$;

-- Returns the tags of an asset or a location. `noun` is `asset` or `location`.
CREATE OR REPLACE FUNCTION tags_of(noun text, org_id int, id int) RETURNS SETOF tags LANGUAGE sql STABLE AS $$
  SELECT t.* FROM tags t WHERE $1 = 'asset' AND t.org_id = $2 AND t.asset_id = $3
  UNION ALL
  SELECT t.* FROM tags t WHERE $1 = 'location' AND t.org_id = $2 AND t.location_id = $3
$$;

-- Trigger on `assets` and `locations`, after each statement that inserts or updates. The argument is `asset` or
-- `location`. Writes an event for each row that was created, changed or deleted, in organizations that asked for that
-- type of event, and adds a job that delivers them. A restored row is an event like a created one, since receivers have
-- been notified of its deletion. An accepted change has another `updated_at`.
--
-- An event keeps the columns before and after, with the tags and the keys of the rows that they refer to. The service
-- makes the public views from these, and leaves out a change that no view shows.
--
-- Old and new rows are joined by hash, because the connection keeps the plan, which may have been made for a statement
-- with one row.
CREATE OR REPLACE FUNCTION record_changes() RETURNS trigger LANGUAGE plpgsql SET enable_nestloop = off SET timezone = 'UTC'
  AS $$
DECLARE
  noun text := TG_ARGV[0];
  recorded bigint;
BEGIN
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
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, to_json(n)) f
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
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, to_json(o)) f
     ) b
     CROSS JOIN LATERAL (
       SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(noun, to_json(n)) f
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

-- Trigger on `tags`, after each statement that attaches or detaches tags. Writes `asset.updated` or `location.updated`
-- for each live parent, with its tags before and after. A parent that the same transaction wrote has an event of that
-- with the tags. `+ 0` makes the planner use the primary keys, which begin with the id.
CREATE OR REPLACE FUNCTION record_tag_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off
  SET timezone = 'UTC' AS $$
DECLARE
  recorded bigint;
BEGIN
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
     SELECT json_object_agg(f.label || '_external_key', f.external_key) AS keys FROM references_of(p.noun, p.version) f
   ) k
   WHERE p.noun || '.updated' = ANY (i.types);
  GET DIAGNOSTICS recorded = ROW_COUNT;
  IF recorded > 0 THEN
    PERFORM graphile_worker.add_job('route_events');
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER record_changes_insert AFTER INSERT ON assets REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('asset');
CREATE TRIGGER record_changes_update AFTER UPDATE ON assets REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('asset');
CREATE TRIGGER record_changes_insert AFTER INSERT ON locations REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('location');
CREATE TRIGGER record_changes_update AFTER UPDATE ON locations REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION record_changes('location');
CREATE TRIGGER record_changes_insert AFTER INSERT ON tags REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_tag_changes();
CREATE TRIGGER record_changes_delete AFTER DELETE ON tags REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION record_tag_changes();

-- Events that wait have the public views instead of the columns.
UPDATE outbox_events
   SET data = json_build_object(
         'before', CASE WHEN json_typeof(data -> 'before') = 'object'
                        THEN json_build_object('row', data -> 'before', 'tags', data -> 'before' -> 'tags') END,
         'after', CASE WHEN json_typeof(data -> 'after') = 'object'
                       THEN json_build_object('row', data -> 'after', 'tags', data -> 'after' -> 'tags') END)
 WHERE type IN ('asset.created', 'asset.updated', 'asset.deleted', 'location.created', 'location.updated', 'location.deleted');
