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
